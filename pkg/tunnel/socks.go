package tunnel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
)

// Protocol numbers of RFC 1928 and RFC 1929.
const (
	socksVersion    = 5
	authVersion     = 1
	methodNone      = 0
	methodPassword  = 2
	methodNoneFits  = 0xff
	commandConnect  = 1
	addressIPv4     = 1
	addressName     = 3
	addressIPv6     = 4
	replySucceeded  = 0
	maxNameInSOCKS5 = 255
)

// socks negotiates a SOCKS5 connection. It reads exactly what the protocol says comes, so nothing
// of the target's is ever read ahead.
func socks(conn net.Conn, user *url.Userinfo, host string, port uint16) error {
	request, err := socksRequest(host, port)
	if err != nil {
		return err
	}
	if err := socksMethod(conn, user); err != nil {
		return cutOff(err)
	}
	if _, err := conn.Write(request); err != nil {
		return err
	}
	return cutOff(socksReply(conn))
}

// socksMethod agrees on how to authenticate, and does (RFC 1928 section 3, RFC 1929 section 2).
func socksMethod(conn net.Conn, user *url.Userinfo) error {
	greeting := []byte{socksVersion, 1, methodNone}
	if user != nil {
		greeting = []byte{socksVersion, 2, methodNone, methodPassword}
	}
	chosen, err := ask(conn, greeting)
	if err != nil {
		return err
	}
	switch {
	case chosen[0] != socksVersion:
		return fmt.Errorf("answers with version %d, which is not SOCKS5", chosen[0])
	case chosen[1] == methodNone:
		return nil
	case chosen[1] == methodPassword && user != nil:
		return socksPassword(conn, user)
	case chosen[1] == methodNoneFits && user == nil:
		return &refused{reply: methodNoneFits, text: "asks for credentials or for a way to authenticate not known here"}
	case chosen[1] == methodNoneFits:
		return &refused{reply: methodNoneFits, text: "takes neither no credentials nor a user name and password"}
	}
	return fmt.Errorf("chose authentication method %d, which was not offered", chosen[1])
}

func socksPassword(conn net.Conn, user *url.Userinfo) error {
	if err := checkSOCKSCredentials(user); err != nil {
		return err
	}
	password, _ := user.Password()
	message := append([]byte{authVersion, byte(len(user.Username()))}, user.Username()...)
	message = append(append(message, byte(len(password))), password...)
	status, err := ask(conn, message)
	if err != nil {
		return err
	}
	if status[1] != replySucceeded {
		return &refused{reply: int(status[1]), text: "credentials refused"}
	}
	return nil
}

// ask sends a message of the negotiation and reads the two bytes that answer each of them.
func ask(conn net.Conn, message []byte) (answer [2]byte, err error) {
	if _, err = conn.Write(message); err != nil {
		return answer, err
	}
	_, err = io.ReadFull(conn, answer[:])
	return answer, err
}

// socksRequest is the CONNECT command; a name goes to the proxy as it is (RFC 1928 section 4).
func socksRequest(host string, port uint16) ([]byte, error) {
	request := []byte{socksVersion, commandConnect, 0}
	addr, isAddr := literal(host)
	switch {
	case isAddr && addr.Is4():
		request = append(append(request, addressIPv4), addr.AsSlice()...)
	case isAddr:
		request = append(append(request, addressIPv6), addr.AsSlice()...)
	case len(host) > maxNameInSOCKS5:
		return nil, errors.New("SOCKS5 takes a name of at most 255 bytes")
	default:
		request = append(append(request, addressName, byte(len(host))), host...)
	}
	return binary.BigEndian.AppendUint16(request, port), nil
}

// socksReply reads the answer to the command with the address bound, which nobody needs but which
// stands before the target's first byte (RFC 1928 section 6).
func socksReply(conn net.Conn) error {
	var head [4]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return err
	}
	if head[0] != socksVersion {
		return fmt.Errorf("answers with version %d, which is not SOCKS5", head[0])
	}
	if head[1] != replySucceeded {
		return &refused{reply: int(head[1]), text: replyText(head[1])}
	}
	size, err := boundSize(conn, head[3])
	if err != nil {
		return err
	}
	_, err = io.CopyN(io.Discard, conn, size+2)
	return err
}

func boundSize(conn net.Conn, kind byte) (int64, error) {
	switch kind {
	case addressIPv4:
		return net.IPv4len, nil
	case addressIPv6:
		return net.IPv6len, nil
	case addressName:
		var length [1]byte
		_, err := io.ReadFull(conn, length[:])
		return int64(length[0]), err
	}
	return 0, fmt.Errorf("answers with address type %d, which is none", kind)
}

// replyText words the REP field of RFC 1928 section 6.
func replyText(code byte) string {
	texts := [...]string{
		1: "general failure", 2: "not allowed by its rules", 3: "network unreachable", 4: "host unreachable",
		5: "connection refused", 6: "TTL expired", 7: "command not supported", 8: "address type not supported",
	}
	if int(code) < len(texts) && texts[code] != "" {
		return texts[code]
	}
	return fmt.Sprintf("reply code %d", code)
}

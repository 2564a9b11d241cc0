package tunnel

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxReply bounds the header section of a proxy's reply, interim replies included.
const maxReply = 64 << 10

// connect asks for a tunnel and reads the reply up to its last header byte.
func connect(conn net.Conn, proxy *url.URL, target string, opts Options) (net.Conn, error) {
	if _, err := conn.Write(connectRequest(proxy, target, opts)); err != nil {
		return nil, err
	}
	// Read ahead is bounded by the limit and whatever came along is handed on below.
	buffered := bufio.NewReader(io.LimitReader(conn, maxReply))
	resp, err := finalReply(buffered)
	if err != nil {
		return nil, cutOff(err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, refusal(resp, proxy)
	}
	rest, _ := buffered.Peek(buffered.Buffered())
	return handOn(conn, rest), nil
}

func connectRequest(proxy *url.URL, target string, opts Options) []byte {
	var b bytes.Buffer
	b.WriteString("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n")
	own := http.Header{}
	if opts.UserAgent != "" {
		own.Set("User-Agent", opts.UserAgent)
	}
	if credentials := Authorization(proxy); credentials != "" {
		own.Set("Proxy-Authorization", credentials)
	}
	// Header.Write puts names in order and turns line breaks inside values into spaces.
	_ = own.Write(&b)
	_ = opts.Header.WriteSubset(&b, map[string]bool{"Host": true, "User-Agent": opts.UserAgent != ""})
	b.WriteString("\r\n")
	return b.Bytes()
}

// Authorization is the Proxy-Authorization value of the URL's credentials, by the Basic scheme of
// RFC 7617; "" when there are none.
func Authorization(proxy *url.URL) string {
	if proxy.User == nil {
		return ""
	}
	password, _ := proxy.User.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(proxy.User.Username()+":"+password))
}

// finalReply skips interim replies (RFC 9110 section 15.2).
func finalReply(r *bufio.Reader) (*http.Response, error) {
	for {
		resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
		if err != nil || resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, err
		}
	}
}

func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCutOff
	}
	return err
}

// refusal turns a reply that is no tunnel into an error: its status line, and which ways to
// authenticate it asks for.
func refusal(resp *http.Response, proxy *url.URL) error {
	text := resp.Status
	if schemes := challenges(resp.Header.Values("Proxy-Authenticate")); len(schemes) > 0 {
		text += " (asks for " + strings.Join(schemes, ", ") + ")"
	}
	return &refused{status: resp.StatusCode, text: withoutSecrets(text, proxy)}
}

// challenges lists the schemes of the fields (RFC 9110 section 11.6.1); a scheme is the first word.
func challenges(fields []string) (schemes []string) {
	for _, field := range fields {
		scheme, _, _ := strings.Cut(strings.TrimSpace(field), " ")
		if scheme != "" && !slices.Contains(schemes, scheme) {
			schemes = append(schemes, scheme)
		}
	}
	return schemes
}

// maxText is how much of a proxy's own words a message repeats.
const maxText = 160

// withoutSecrets keeps a proxy that repeats our credentials from putting them into a report, and
// control characters out of a terminal.
func withoutSecrets(text string, proxy *url.URL) string {
	if proxy.User != nil {
		password, _ := proxy.User.Password()
		_, encoded, _ := strings.Cut(Authorization(proxy), " ")
		for _, secret := range []string{encoded, password} {
			if secret != "" {
				text = strings.ReplaceAll(text, secret, "***")
			}
		}
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "..."
	}
	return text
}

// ahead is a connection of which some bytes were read already.
type ahead struct {
	net.Conn
	rest []byte
}

func handOn(conn net.Conn, rest []byte) net.Conn {
	if len(rest) == 0 {
		return conn
	}
	return &ahead{Conn: conn, rest: bytes.Clone(rest)}
}

// Read drains what was read ahead, then the connection.
func (a *ahead) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		return a.Conn.Read(p)
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// NetConn returns the connection below, as tls.Conn does. What was read ahead is not in it.
func (a *ahead) NetConn() net.Conn { return a.Conn }

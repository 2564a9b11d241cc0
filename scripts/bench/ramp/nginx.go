package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const nginxConf = `daemon off; pid %[1]s/nginx.pid; error_log %[1]s/error.log crit; worker_processes %[3]d;
events { worker_connections 4096; }
http {
  access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  server {
    listen 127.0.0.1:%[2]d ssl backlog=4096; ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate %[1]s/cert.pem; ssl_certificate_key %[1]s/key.pem;
    location / { return 200 hello; }
  }
}
`

// startNginx serves five bytes over TLS on a free port, under a certificate of its own.
func (s *settings) startNginx() (stop func(), err error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	if err := s.certify(); err != nil {
		return nil, err
	}
	conf := filepath.Join(s.dir, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, s.dir, port, 2), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command("nginx", "-e", s.dir+"/error.log", "-c", conf)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	s.url, s.ca = fmt.Sprintf("https://localhost:%d/", port), filepath.Join(s.dir, "cert.pem")
	return stop, await(port)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// await returns once a TLS handshake succeeds.
func await(port int) error {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		c, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port), &tls.Config{InsecureSkipVerify: true})
		if err == nil {
			return c.Close()
		}
	}
	return errors.New("nginx did not answer")
}

// certify writes a self-signed P-256 certificate for localhost.
func (s *settings) certify() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(48 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := writePEM(filepath.Join(s.dir, "cert.pem"), "CERTIFICATE", cert); err != nil {
		return err
	}
	return writePEM(filepath.Join(s.dir, "key.pem"), "PRIVATE KEY", private)
}

func writePEM(name, kind string, der []byte) error {
	return os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

package servertest

import (
	"fmt"
	"strings"
	"testing"
)

// Nginx starts nginx with the http section given; ports are awaited. It runs in the foreground as
// one process with everything it writes inside the test's folder, whose path is returned.
func Nginx(t testing.TB, ports []int, http string) (*Process, string) {
	t.Helper()
	path, dir := Require(t, "nginx"), t.TempDir()
	conf := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/nginx.pid; error_log %[1]s/error.log;
events { worker_connections 1024; }
http {
  access_log %[1]s/access.log;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
%[2]s
}
`, dir, http)
	return Start(t, ports, path, "-e", dir+"/error.log", "-c", Write(t, dir, "nginx.conf", conf)), dir
}

// Caddy starts Caddy with the Caddyfile given, its admin endpoint off.
func Caddy(t testing.TB, ports []int, caddyfile string) *Process {
	t.Helper()
	path := Require(t, "caddy")
	global := "{\n\tadmin off\n\tauto_https off\n}\n"
	if strings.HasPrefix(strings.TrimSpace(caddyfile), "{") {
		global = ""
	}
	conf := Write(t, t.TempDir(), "Caddyfile", global+caddyfile)
	return Start(t, ports, path, "run", "--adapter", "caddyfile", "--config", conf)
}

// HAProxy starts HAProxy with the configuration given.
func HAProxy(t testing.TB, ports []int, conf string) *Process {
	t.Helper()
	return Start(t, ports, Require(t, "haproxy"), "-db", "-f", Write(t, t.TempDir(), "haproxy.cfg", conf))
}

// Dnsmasq starts dnsmasq as a resolver on 127.0.0.1:port with the options given, one a line.
func Dnsmasq(t testing.TB, port int, options string) *Process {
	t.Helper()
	conf := fmt.Sprintf("port=%d\nlisten-address=127.0.0.1\nbind-interfaces\nno-resolv\nno-hosts\nno-daemon\nuser=\ngroup=\npid-file=\n%s\n", port, options)
	return Start(t, []int{port}, Require(t, "dnsmasq"), "--keep-in-foreground", "-C", Write(t, t.TempDir(), "dnsmasq.conf", conf))
}

// Unbound starts unbound with the server section given.
func Unbound(t testing.TB, ports []int, server string) *Process {
	t.Helper()
	dir := t.TempDir()
	conf := fmt.Sprintf("server:\n  do-daemonize: no\n  username: \"\"\n  chroot: \"\"\n  directory: %q\n  pidfile: \"\"\n  use-syslog: no\n  logfile: \"\"\n  module-config: \"iterator\"\n%s\nremote-control:\n  control-enable: no\n", dir, server)
	return Start(t, ports, Require(t, "unbound"), "-d", "-c", Write(t, dir, "unbound.conf", conf))
}

// Tinyproxy starts an HTTP CONNECT proxy on 127.0.0.1:port with extra configuration lines.
func Tinyproxy(t testing.TB, port int, extra string) *Process {
	t.Helper()
	conf := fmt.Sprintf("Port %d\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nAllow 127.0.0.1\nLogLevel Error\n%s\n", port, extra)
	return Start(t, []int{port}, Require(t, "tinyproxy"), "-d", "-c", Write(t, t.TempDir(), "tinyproxy.conf", conf))
}

// Microsocks starts a SOCKS5 proxy on 127.0.0.1:port; user and password may be empty.
func Microsocks(t testing.TB, port int, user, password string) *Process {
	t.Helper()
	args := []string{"-i", "127.0.0.1", "-p", fmt.Sprint(port)}
	if user != "" {
		args = append(args, "-u", user, "-P", password)
	}
	return Start(t, []int{port}, Require(t, "microsocks"), args...)
}

// Package wan is a wide-area network made of real kernels for tests on Linux: hosts are network
// namespaces, each with one TUN device, joined by a router in user space that holds every packet for
// as long as the path between two hosts takes, and loses or reorders what it is told to.
//
// It knows addresses, paths and which processes it started; the namespaces have no name and no way
// out, so nothing leaves them and all of it vanishes with the process, however that ends. It refuses
// to know what is measured across it. A round trip of two idle hosts stays within about 0.1 ms above
// the delays asked for; netem, which many kernels lack, is not used.
//
// The rule a caller must hold: root is needed, and a socket belongs to the host whose [Host.Do] it was
// opened in, on that goroutine: goroutines started inside open theirs outside.
package wan

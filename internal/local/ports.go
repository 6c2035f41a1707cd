package local

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Free ports are taken from below those that systems give to outgoing
// connections, which would soon take one that merely was free.
const (
	lowestFreePort  = 20000
	highestFreePort = 32000
)

// StartAttempts is how often a server is started on ports that were free when they were chosen, and may have been taken
// since.
const StartAttempts = 4

// claims reserve the ports that this process was given, by listening on their UDP side, which no server uses. A server
// may take seconds to listen on its port, or start again later.
var claims struct {
	sync.Mutex
	of []*net.UDPConn
}

// FreePort returns a TCP port of 127.0.0.1 that is free at this moment. As long as
// this process lives no other is given it.
func FreePort() (int, error) {
	claims.Lock()
	defer claims.Unlock()
	for range 100 {
		port := lowestFreePort + rand.IntN(highestFreePort-lowestFreePort)
		claim, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		if err != nil {
			continue
		}
		if PortFree(port) {
			claims.of = append(claims.of, claim)
			return port, nil
		}
		claim.Close()
	}
	return 0, errors.New("no free TCP port found on 127.0.0.1")
}

// PortFree reports whether the TCP port of 127.0.0.1 can be listened on.
func PortFree(port int) bool {
	l, err := net.Listen("tcp", OnLoopback(port))
	if err != nil {
		return false
	}
	l.Close()
	return true
}

// OnLoopback is the address of a port of 127.0.0.1.
func OnLoopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

package local

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Free ports are taken from below those that systems give to outgoing
// connections, which would soon take one that merely was free.
const (
	lowestFreePort  = 20000
	highestFreePort = 32000
)

// FreePort returns a TCP port of 127.0.0.1 that nobody uses at this moment.
func FreePort() (int, error) {
	for range 100 {
		if port := lowestFreePort + rand.IntN(highestFreePort-lowestFreePort); PortFree(port) {
			return port, nil
		}
	}
	return 0, errors.New("no free TCP port found on 127.0.0.1")
}

// PortFree reports whether the TCP port of 127.0.0.1 can be listened on.
func PortFree(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	l.Close()
	return true
}

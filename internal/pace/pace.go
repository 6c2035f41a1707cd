// Package pace bounds how slowly a client may send or read, by a least rate instead of one time for everything. A client
// that holds a place with a few bytes now and then loses it. An honest slow line goes through, however large the file is.
package pace

import "time"

// Least is how many bytes a client has to send or to read in a second, on average over a window.
const Least = 16 << 10

// Pace measures a client. A window ends early once all its bytes have moved. Only the time in which the service waits
// for the client counts.
type Pace struct {
	window time.Duration
	moved  int64
	waited time.Duration
}

// New returns the pace of a client at the beginning of its first window.
func New(window time.Duration) *Pace { return &Pace{window: window} }

// Bytes is how many bytes a window has.
func Bytes(window time.Duration) int64 { return int64(window.Seconds() * Least) }

// Left is how long the client may still take for the bytes of its window. A client without time is too slow.
func (p *Pace) Left() time.Duration { return p.window - p.waited }

// Moved counts bytes, and the time that the service waited for them.
func (p *Pace) Moved(n int, took time.Duration) {
	p.moved += int64(n)
	p.waited += took
	// guard: pace: the time of a client is renewed by bytes only
	if p.moved >= Bytes(p.window) {
		p.moved, p.waited = 0, 0
	}
}

//go:build !linux

package testbed

import "context"

func (b *Bed) mountMachine() {
	b.tb.Helper()
	b.tb.Skip("a machine that loses its power needs a disk of its own, which this test mounts on Linux only")
}

// CutPower is there on Linux only.
func (b *Bed) CutPower() { panic("the bed has no machine of its own") }

// RestorePower is there on Linux only.
func (b *Bed) RestorePower(context.Context) error { panic("the bed has no machine of its own") }

//go:build !linux

package testbed

func (b *Bed) mountDisk(int64) {
	b.tb.Helper()
	b.tb.Skip("a disk that is full needs a file system of its own, which this test mounts on Linux only")
}

// FillDisk is there on Linux only.
func (b *Bed) FillDisk() { panic("the bed has no disk of its own") }

// FreeDisk is there on Linux only.
func (b *Bed) FreeDisk() { panic("the bed has no disk of its own") }

//go:build !linux

package testbed

// Disk is there on Linux only.
type Disk struct{ dir string }

// MountDisk skips the test.
func (b *Bed) MountDisk(string, int64) *Disk {
	b.tb.Helper()
	b.tb.Skip("a disk that is full needs a file system of its own, which this test mounts on Linux only")
	return nil
}

// Fill is there on Linux only.
func (d *Disk) Fill() { panic("the bed has no disk of its own: " + d.dir) }

// Free is there on Linux only.
func (d *Disk) Free() { panic("the bed has no disk of its own: " + d.dir) }

//go:build unix && !linux

package local

import "syscall"

// tieToParent does nothing: only Linux has a parent-death signal. The next start ends processes that a killed parent
// has left.
func tieToParent(*syscall.SysProcAttr, syscall.Signal) {}

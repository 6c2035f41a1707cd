//go:build unix && !linux

package local

import "syscall"

// tieToParent does nothing: only Linux has a parent-death signal. What a killed
// parent leaves behind is stopped by the next start.
func tieToParent(*syscall.SysProcAttr, syscall.Signal) {}

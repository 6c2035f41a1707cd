package local

import "syscall"

func tieToParent(a *syscall.SysProcAttr, sig syscall.Signal) { a.Pdeathsig = sig }

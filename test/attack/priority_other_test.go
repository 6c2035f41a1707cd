//go:build !linux

package attack_test

func lowerPriority() error { return nil }

//go:build !linux

package testbed

// ExhaustFiles skips the test.
func (s *Service) ExhaustFiles() (release func()) {
	s.bed.tb.Helper()
	s.bed.tb.Skip("the descriptors of a running process can be limited on Linux only")
	return nil
}

package convert

// Texts converts values of one string type into those of another.
func Texts[B, A ~string](in []A) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = B(v)
	}
	return out
}

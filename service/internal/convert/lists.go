package convert

// Answered returns the converted record, or the error.
func Answered[A, B any](record A, err error, convert func(A) B) (answer B, _ error) {
	if err == nil {
		answer = convert(record)
	}
	return answer, err
}

// ConvertAll converts every element. The result is never nil.
func ConvertAll[A, B any](in []A, convert func(A) B) []B {
	out := make([]B, len(in))
	for i := range in {
		out[i] = convert(in[i])
	}
	return out
}

// NotNil returns the list, or an empty list instead of nil.
func NotNil[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// Texts converts values of one string type into those of another.
func Texts[B, A ~string](in []A) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = B(v)
	}
	return out
}

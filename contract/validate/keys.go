package validate

import (
	"hash/maphash"
	"unicode"
	"unicode/utf8"
)

var keySeed = maphash.MakeSeed()

// repeated stores a key and reports whether the object has it already. Keys are compared after unescaping and without
// regard to letter case.
func (s *scanner) repeated(key []byte, first int, seen *map[uint64]struct{}) bool {
	const few = 24
	s.fold = foldCase(s.fold[:0], key)
	hash := maphash.Bytes(keySeed, s.fold)
	if len(s.keys)-first < few {
		for _, other := range s.keys[first:] {
			if other == hash {
				return true
			}
		}
		s.keys = append(s.keys, hash)
		return false
	}
	if *seen == nil {
		*seen = make(map[uint64]struct{}, 4*few)
		for _, other := range s.keys[first:] {
			(*seen)[other] = struct{}{}
		}
	}
	if _, ok := (*seen)[hash]; ok {
		return true
	}
	(*seen)[hash] = struct{}{}
	return false
}

// foldCase appends the key with each letter replaced by the smallest one that
// differs from it in case only.
func foldCase(dst, key []byte) []byte {
	for i := 0; i < len(key); {
		if c := key[i]; c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(key[i:])
		smallest := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			smallest = min(smallest, next)
		}
		dst = utf8.AppendRune(dst, smallest)
		i += size
	}
	return dst
}

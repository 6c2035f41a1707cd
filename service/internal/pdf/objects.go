package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
)

// objectsTogether is the number of objects that are compressed together. A reader decompresses all of them to get one.
const objectsTogether = 100

// objectWriter writes the objects of a file and its cross-reference stream (ISO 32000-1, 7.5.8).
// It compresses many objects together in object streams (7.5.7).
type objectWriter struct {
	to         io.Writer
	err        error // the first error; nothing is written after it
	written    int   // bytes
	references []reference
	waiting    []int        // numbers of the objects of the next object stream
	places     bytes.Buffer // their numbers and offsets
	bodies     bytes.Buffer
	packed     bytes.Buffer // the content of the next stream
	packer     *zlib.Writer
}

// reference is an entry of the cross-reference stream (table 18).
type reference struct {
	Kind  uint8
	Where uint32 // offset of the object, or number of its object stream
	Index uint16 // index in the object stream
}

const (
	freeObject       = 0
	plainObject      = 1
	compressedObject = 2
)

// newObjectWriter returns a writer for a file that begins with objects at these offsets, by their numbers.
func newObjectWriter(to io.Writer, offsets []int) *objectWriter {
	w := &objectWriter{to: to, references: []reference{{Kind: freeObject, Index: 65535}}, packer: zlib.NewWriter(nil)}
	for _, offset := range offsets[1:] {
		w.references = append(w.references, reference{Kind: plainObject, Where: uint32(offset)})
	}
	return w
}

// reserve reserves the numbers up to an end for objects.
func (w *objectWriter) reserve(end int) {
	w.references = append(w.references, make([]reference, end-len(w.references))...)
}

func (w *objectWriter) raw(b []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(b)
		w.written += len(b)
	}
}

// object writes an object that replaces the one with its number.
func (w *objectWriter) object(number int, body string) {
	fmt.Fprintf(&w.places, "%d %d ", number, w.bodies.Len())
	w.bodies.WriteString(body + "\n")
	w.waiting = append(w.waiting, number)
	if len(w.waiting) == objectsTogether {
		w.flushObjects()
	}
}

// flushObjects writes the waiting objects as one object stream.
func (w *objectWriter) flushObjects() {
	if len(w.waiting) == 0 {
		return
	}
	stream := len(w.references)
	for i, number := range w.waiting {
		w.references[number] = reference{Kind: compressedObject, Where: uint32(stream), Index: uint16(i)}
	}
	w.reserve(stream + 1)
	entries := fmt.Sprintf("/Type /ObjStm /N %d /First %d", len(w.waiting), w.places.Len())
	w.stream(stream, entries, append(w.places.Bytes(), w.bodies.Bytes()...))
	w.waiting = w.waiting[:0]
	w.places.Reset()
	w.bodies.Reset()
}

func (w *objectWriter) stream(number int, entries string, content []byte) {
	w.references[number] = reference{Kind: plainObject, Where: uint32(w.written)}
	w.packed.Reset()
	w.packer.Reset(&w.packed)
	_, _ = w.packer.Write(content) // memory never fails
	_ = w.packer.Close()
	w.raw(fmt.Appendf(nil, "%d 0 obj\n<<%s /Filter /FlateDecode /Length %d>>\nstream\n", number, entries, w.packed.Len()))
	w.raw(w.packed.Bytes())
	w.raw([]byte("\nendstream\nendobj\n"))
}

// end writes the waiting objects, and the cross-reference stream with the entries of a trailer.
func (w *objectWriter) end(trailer string) error {
	w.flushObjects()
	number, start := len(w.references), w.written
	w.reserve(number + 1)
	w.references[number] = reference{Kind: plainObject, Where: uint32(start)}
	var rows bytes.Buffer
	_ = binary.Write(&rows, binary.BigEndian, w.references) // memory never fails
	w.stream(number, fmt.Sprintf("/Type /XRef /Size %d /W [1 4 2] %s", number+1, trailer), rows.Bytes())
	w.raw(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
	return w.err
}

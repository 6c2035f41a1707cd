package worker

import (
	"bytes"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"sync"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// Metadata of an encrypted payload: the marker and the id of its key.
const (
	metadataEncoding  = "encoding"
	metadataKeyID     = "encryption-key-id"
	encodingEncrypted = "binary/encrypted"
)

// The first byte of the clear text says how the payload follows.
const (
	formPlain    = 0
	formDeflated = 1
)

// deflateFrom is the size from which payloads are compressed: batches of
// references shrink to a third, small payloads do not.
const deflateFrom = 512

// ErrUndecodable says that a payload was not sealed by a key at hand, or was
// changed since.
var ErrUndecodable = errors.New("payload cannot be decrypted")

// Codec encrypts every payload with AES-256-GCM, so that Temporal stores and shows
// nothing readable. The id of the key is authenticated with the payload. Payloads
// of other encodings pass Decode unchanged.
type Codec struct {
	keys    map[string]cipher.AEAD
	current string
}

var _ converter.PayloadCodec = (*Codec)(nil)

// NewCodec makes a codec that seals with the key named current and opens with any
// of the keys, each of 32 bytes.
func NewCodec(keys map[string][]byte, current string) (*Codec, error) {
	c := &Codec{keys: make(map[string]cipher.AEAD, len(keys)), current: current}
	for id, key := range keys {
		if len(key) != 32 {
			return nil, fmt.Errorf("payload key %q has %d bytes, 32 are needed", id, len(key))
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("payload key %q: %w", id, err)
		}
		if c.keys[id], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, fmt.Errorf("payload key %q: %w", id, err)
		}
	}
	if c.keys[current] == nil {
		return nil, fmt.Errorf("no payload key %q", current)
	}
	return c, nil
}

// Encode seals payloads with the current key.
func (c *Codec) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	sealed := make([]*commonpb.Payload, len(payloads))
	for i, payload := range payloads {
		raw, err := proto.Marshal(payload)
		if err != nil {
			return nil, fmt.Errorf("encode payload: %w", err)
		}
		plain, err := pack(raw)
		if err != nil {
			return nil, fmt.Errorf("encode payload: %w", err)
		}
		sealed[i] = &commonpb.Payload{
			Metadata: map[string][]byte{
				metadataEncoding: []byte(encodingEncrypted),
				metadataKeyID:    []byte(c.current),
			},
			Data: c.keys[c.current].Seal(nil, nil, plain, []byte(c.current)),
		}
	}
	return sealed, nil
}

// Decode opens what Encode sealed, also with older keys. Errors: ErrUndecodable.
func (c *Codec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	opened := make([]*commonpb.Payload, len(payloads))
	for i, payload := range payloads {
		if string(payload.GetMetadata()[metadataEncoding]) != encodingEncrypted {
			opened[i] = payload
			continue
		}
		id := string(payload.GetMetadata()[metadataKeyID])
		key := c.keys[id]
		if key == nil {
			return nil, fmt.Errorf("%w: no key %q", ErrUndecodable, id)
		}
		plain, err := key.Open(nil, nil, payload.GetData(), []byte(id))
		if err != nil {
			return nil, fmt.Errorf("%w: key %q does not open it", ErrUndecodable, id)
		}
		raw, err := unpack(plain)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUndecodable, err)
		}
		opened[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(raw, opened[i]); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUndecodable, err)
		}
	}
	return opened, nil
}

// writers are reused because one of them takes hundreds of kilobytes.
var writers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

func pack(raw []byte) ([]byte, error) {
	if len(raw) < deflateFrom {
		return append([]byte{formPlain}, raw...), nil
	}
	var out bytes.Buffer
	out.WriteByte(formDeflated)
	w := writers.Get().(*flate.Writer)
	defer writers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func unpack(plain []byte) ([]byte, error) {
	if len(plain) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	switch form, rest := plain[0], plain[1:]; form {
	case formPlain:
		return rest, nil
	case formDeflated:
		return io.ReadAll(flate.NewReader(bytes.NewReader(rest)))
	default:
		return nil, fmt.Errorf("unknown form %d", form)
	}
}

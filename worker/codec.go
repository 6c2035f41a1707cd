package worker

import (
	"bytes"
	"cmp"
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// Metadata of an encrypted payload: its marker, the id of its key, and its workflow.
const (
	metadataEncoding  = "encoding"
	metadataKeyID     = "encryption-key-id"
	metadataWorkflow  = "encryption-workflow-id"
	encodingEncrypted = "binary/encrypted"
)

// Forms of the clear text. Its first byte names one of them.
const (
	formPlain    = 0
	formDeflated = 1
)

// deflateFrom is the size of a payload, in bytes, from which Encode compresses it. A batch of references shrinks to a
// third, a small payload does not shrink.
const deflateFrom = 512

// ErrUndecodable refuses a payload that was sealed by an unknown key or for another workflow, or was changed since.
var ErrUndecodable = errors.New("payload cannot be decrypted")

// Codec encrypts every payload with AES-256-GCM, so that Temporal stores and shows nothing readable. It authenticates
// the ids of the key and of the workflow with the payload. Thus a person with access to Temporal alone cannot move a
// payload to another workflow. A payload outside of a workflow, such as the text of a failure, names none.
type Codec struct {
	*sealing
	// workflow is the id of the workflow of the payloads. It is empty where it is not known, as in the Temporal UI.
	workflow string
}

// sealing holds the keys that all codecs of a process share.
type sealing struct {
	keys    map[string]cipher.AEAD // master keys of payloads without a day key
	secrets map[string][]byte
	current string
	now     func() time.Time
	days    dayKeys
}

var (
	_ converter.PayloadCodec                         = (*Codec)(nil)
	_ converter.PayloadCodecWithSerializationContext = (*Codec)(nil)
)

// NewCodec returns a codec that seals with day keys, which it derives from the key named current. It opens payloads of
// any of the keys. Each key has 32 bytes. Errors: a key of another length, no key named current.
func NewCodec(keys map[string][]byte, current string) (*Codec, error) {
	c := &Codec{sealing: &sealing{
		keys: make(map[string]cipher.AEAD, len(keys)), secrets: keys, current: current, now: time.Now,
	}}
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

// WithSerializationContext returns the codec for the payloads of one workflow.
func (c *Codec) WithSerializationContext(of converter.SerializationContext) converter.PayloadCodec {
	switch of := of.(type) {
	case converter.WorkflowSerializationContext:
		return &Codec{c.sealing, of.WorkflowID}
	case converter.ActivitySerializationContext:
		return &Codec{c.sealing, of.WorkflowID}
	}
	return c
}

// Encode seals payloads for the workflow of the codec.
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
		if sealed[i], err = c.seal(plain); err != nil {
			return nil, fmt.Errorf("encode payload: %w", err)
		}
	}
	return sealed, nil
}

func (c *Codec) seal(plain []byte) (*commonpb.Payload, error) {
	sealed := &commonpb.Payload{Metadata: map[string][]byte{metadataEncoding: []byte(encodingEncrypted)}}
	id, key, nonce, err := c.next(c.now())
	if err != nil {
		return nil, err
	}
	sealed.Metadata[metadataKeyID] = []byte(id)
	if c.workflow != "" {
		sealed.Metadata[metadataWorkflow] = []byte(c.workflow)
	}
	sealed.Data = key.Seal(nonce, nonce, plain, boundTo(id, c.workflow))
	return sealed, nil
}

// boundTo returns the additional data that ties a payload to its key and its workflow.
func boundTo(keyID, workflow string) []byte { return []byte(keyID + "\x00" + workflow) }

// maxOpened bounds the size of the payloads that one call opens, in bytes. Temporal bounds only their compressed size,
// to 4 MiB.
const maxOpened = 64 << 20

// Decode opens payloads that Encode sealed, also with older keys. It returns payloads of other encodings unchanged.
// Errors: ErrUndecodable.
func (c *Codec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return c.decode(payloads, maxOpened)
}

func (c *Codec) decode(payloads []*commonpb.Payload, most int) ([]*commonpb.Payload, error) {
	opened := make([]*commonpb.Payload, len(payloads))
	for i, payload := range payloads {
		if string(payload.GetMetadata()[metadataEncoding]) != encodingEncrypted {
			opened[i] = payload
			continue
		}
		plain, err := c.open(payload)
		if err != nil {
			return nil, err
		}
		raw, err := unpack(plain, most)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUndecodable, err)
		}
		most -= len(raw)
		opened[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(raw, opened[i]); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUndecodable, err)
		}
	}
	return opened, nil
}

// open decrypts one payload. Errors: ErrUndecodable.
func (c *Codec) open(payload *commonpb.Payload) ([]byte, error) {
	id, of := string(payload.GetMetadata()[metadataKeyID]), string(payload.GetMetadata()[metadataWorkflow])
	var plain []byte
	var err error
	if !strings.Contains(id, keySeparator) {
		key := c.keys[id]
		if key == nil {
			return nil, fmt.Errorf("%w: no key %q", ErrUndecodable, id)
		}
		plain, err = key.Open(nil, nil, payload.GetData(), []byte(id))
	} else {
		// guard: payloads: one that was sealed for another workflow is not read
		if c.workflow != "" && of != "" && of != c.workflow {
			return nil, fmt.Errorf("%w: it belongs to workflow %q", ErrUndecodable, of)
		}
		key, missing := c.opener(id)
		if missing != nil || len(payload.GetData()) < nonceSize {
			return nil, cmp.Or(missing, fmt.Errorf("%w: too short", ErrUndecodable))
		}
		plain, err = key.Open(nil, payload.GetData()[:nonceSize], payload.GetData()[nonceSize:], boundTo(id, of))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: key %q does not open it", ErrUndecodable, id)
	}
	return plain, nil
}

// writers are reused, because each takes hundreds of kilobytes.
var writers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// pack returns the clear text of an encoded payload, compressed if it is large.
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

var errTooMuch = errors.New("too much for one request")

// unpack returns the encoded payload of a clear text. Errors: errTooMuch if it is larger than most, others if pack did
// not write it.
func unpack(plain []byte, most int) ([]byte, error) {
	if len(plain) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	switch form, rest := plain[0], plain[1:]; form {
	case formPlain:
		return rest, tooMuch(len(rest), most)
	case formDeflated:
		raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(rest)), int64(most)+1))
		return raw, cmp.Or(err, tooMuch(len(raw), most))
	default:
		return nil, fmt.Errorf("unknown form %d", form)
	}
}

func tooMuch(n, most int) error {
	if n > most {
		return errTooMuch
	}
	return nil
}

package worker

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"levy/models"
	"levy/workflows"
)

func key(fill byte) []byte { return bytes.Repeat([]byte{fill}, 32) }

func codecWith(t testing.TB, keys map[string][]byte, current string) *Codec {
	t.Helper()
	codec, err := NewCodec(keys, current)
	require.NoError(t, err)
	return codec
}

func payload(data string) *commonpb.Payload {
	return &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(data)}
}

func TestCodec(t *testing.T) {
	t.Parallel()
	codec := codecWith(t, map[string][]byte{"k1": key(1)}, "k1")

	t.Run("every payload comes back as it was", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			in := []*commonpb.Payload{
				payload(string(rapid.SliceOf(rapid.Byte()).Draw(t, "small"))),
				payload(strings.Repeat(rapid.String().Draw(t, "text"), 300)),
				{},
			}
			sealed, err := codec.Encode(in)
			require.NoError(t, err)
			out, err := codec.Decode(sealed)
			require.NoError(t, err)
			require.Len(t, out, len(in))
			for i := range in {
				require.True(t, proto.Equal(in[i], out[i]))
			}
		})
	})

	t.Run("nothing of the content is readable, and equal contents are sealed differently", func(t *testing.T) {
		t.Parallel()
		sealed, err := codec.Encode([]*commonpb.Payload{payload("078-05-1120"), payload("078-05-1120")})
		require.NoError(t, err)
		require.NotContains(t, string(sealed[0].GetData()), "078-05")
		require.NotContains(t, sealed[0].String(), "json/plain")
		require.NotEqual(t, sealed[0].GetData(), sealed[1].GetData())
	})

	t.Run("a batch of references shrinks", func(t *testing.T) {
		t.Parallel()
		refs := make([]models.Ref, 0, workflows.MaxBatch)
		for range workflows.MaxBatch {
			refs = append(refs, models.Ref{
				OrganizationID: "org_01jx4m9a2bfqv8m1x0c5t7hkde", ID: models.NewID("txn"), Epoch: 1,
			})
		}
		raw, err := json.Marshal(workflows.TransactionsInput{Refs: refs})
		require.NoError(t, err)
		sealed, err := codec.Encode([]*commonpb.Payload{payload(string(raw))})
		require.NoError(t, err)
		require.Less(t, len(sealed[0].GetData()), len(raw)/2)
	})

	t.Run("after a rotation old payloads stay readable and new ones use the new key", func(t *testing.T) {
		t.Parallel()
		old, err := codec.Encode([]*commonpb.Payload{payload("before")})
		require.NoError(t, err)
		rotated := codecWith(t, map[string][]byte{"k1": key(1), "k2": key(2)}, "k2")
		opened, err := rotated.Decode(old)
		require.NoError(t, err)
		require.Equal(t, "before", string(opened[0].GetData()))
		fresh, err := rotated.Encode([]*commonpb.Payload{payload("after")})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(fresh[0].GetMetadata()["encryption-key-id"]), "k2/"))
		_, err = codec.Decode(fresh)
		require.ErrorIs(t, err, ErrUndecodable)
	})

	t.Run("a changed payload, a changed key id and a truncated payload are refused", func(t *testing.T) {
		t.Parallel()
		both := codecWith(t, map[string][]byte{"k1": key(1), "k2": key(1)}, "k1")
		for name, change := range map[string]func(*commonpb.Payload){
			"data":      func(p *commonpb.Payload) { p.Data[len(p.Data)-1] ^= 1 },
			"key id":    func(p *commonpb.Payload) { p.Metadata["encryption-key-id"] = []byte("k2") },
			"day":       func(p *commonpb.Payload) { p.Metadata["encryption-key-id"] = []byte("k1/2026-01-01/x") },
			"workflow":  func(p *commonpb.Payload) { p.Metadata["encryption-workflow-id"] = []byte("filing-2") },
			"unknown":   func(p *commonpb.Payload) { p.Metadata["encryption-key-id"] = []byte("k3") },
			"truncated": func(p *commonpb.Payload) { p.Data = p.Data[:5] },
		} {
			sealed, err := both.Encode([]*commonpb.Payload{payload("content")})
			require.NoError(t, err)
			change(sealed[0])
			_, err = both.Decode(sealed)
			require.ErrorIs(t, err, ErrUndecodable, name)
		}
	})

	t.Run("what was sealed for one workflow is not read in another", func(t *testing.T) {
		t.Parallel()
		of := func(workflow string) converter.PayloadCodec {
			return codec.WithSerializationContext(converter.WorkflowSerializationContext{WorkflowID: workflow})
		}
		sealed, err := of("filing-1").Encode([]*commonpb.Payload{payload("approve")})
		require.NoError(t, err)
		for _, reader := range []converter.PayloadCodec{of("filing-1"), codec} { // the workflow and the Temporal UI
			opened, err := reader.Decode(sealed)
			require.NoError(t, err)
			require.Equal(t, "approve", string(opened[0].GetData()))
		}
		_, err = of("filing-2").Decode(sealed)
		require.ErrorIs(t, err, ErrUndecodable)
		activity := codec.WithSerializationContext(converter.ActivitySerializationContext{WorkflowID: "filing-2"})
		_, err = activity.Decode(sealed)
		require.ErrorIs(t, err, ErrUndecodable)
	})

	t.Run("a key seals for one process on one day, each payload with a nonce of its own", func(t *testing.T) {
		t.Parallel()
		now := time.Date(2026, 5, 1, 23, 59, 0, 0, time.UTC)
		today, other := codecWith(t, map[string][]byte{"k1": key(1)}, "k1"),
			codecWith(t, map[string][]byte{"k1": key(1)}, "k1")
		today.now, other.now = func() time.Time { return now }, func() time.Time { return now }
		ids, nonces := map[string]int{}, map[string]bool{}
		seal := func(c *Codec) {
			sealed, err := c.Encode([]*commonpb.Payload{payload("a"), payload("b")})
			require.NoError(t, err)
			for _, p := range sealed {
				id := string(p.GetMetadata()["encryption-key-id"])
				ids[id]++
				nonces[id+string(p.GetData()[:nonceSize])] = true
			}
			_, err = codec.Decode(sealed)
			require.NoError(t, err)
		}
		seal(today)
		seal(today)
		seal(other)
		now = now.Add(time.Minute)
		seal(today)
		require.Len(t, ids, 3)
		require.Len(t, nonces, 8)
	})

	t.Run("payloads of open runs from before keys of days stay readable", func(t *testing.T) {
		t.Parallel()
		raw, err := proto.Marshal(payload("before"))
		require.NoError(t, err)
		plain, err := pack(raw)
		require.NoError(t, err)
		sealed := []*commonpb.Payload{{
			Metadata: map[string][]byte{metadataEncoding: []byte(encodingEncrypted), metadataKeyID: []byte("k1")},
			Data:     codec.keys["k1"].Seal(nil, nil, plain, []byte("k1")),
		}}
		reader := codec.WithSerializationContext(converter.WorkflowSerializationContext{WorkflowID: "filing-1"})
		opened, err := reader.Decode(sealed)
		require.NoError(t, err)
		require.Equal(t, "before", string(opened[0].GetData()))
	})

	t.Run("payloads of other encodings pass", func(t *testing.T) {
		t.Parallel()
		out, err := codec.Decode([]*commonpb.Payload{payload("clear")})
		require.NoError(t, err)
		require.Equal(t, "clear", string(out[0].GetData()))
	})

	t.Run("keys are checked when the codec is made", func(t *testing.T) {
		t.Parallel()
		_, err := NewCodec(map[string][]byte{"k1": key(1)[:16]}, "k1")
		require.Error(t, err)
		_, err = NewCodec(map[string][]byte{"k1": key(1)}, "k2")
		require.Error(t, err)
	})
}

func ofOperator(r *http.Request, does CodecUse) (KeepProof, error) {
	switch r.Header.Get("Authorization") {
	case "Bearer oper":
		return nil, nil
	case "Bearer reader":
		if does == CodecDecodes {
			return nil, nil
		}
		return nil, ErrMayNotSeal
	}
	return nil, ErrNotAuthorized
}

func TestCodecHandler(t *testing.T) {
	t.Parallel()
	const ui = "http://127.0.0.1:8233"
	codec := codecWith(t, map[string][]byte{"k1": key(1)}, "k1")
	handler := NewCodecHandler(codec, CodecHandlerOptions{
		Namespaces: []string{"levy"},
		Origins:    []string{ui},
		Authorize:  ofOperator,
	})
	sealed, err := codec.Encode([]*commonpb.Payload{payload(`"hello"`)})
	require.NoError(t, err)
	body, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(&commonpb.Payloads{Payloads: sealed})
	require.NoError(t, err)

	ask := func(method, path string, header map[string]string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(body))
		r.Header.Set("X-Namespace", "levy")
		r.Header.Set("Authorization", "Bearer oper")
		r.Header.Set("Origin", ui)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}

	t.Run("clear text for an operator in the UI", func(t *testing.T) {
		t.Parallel()
		answer := ask(http.MethodPost, "/codec/decode", nil)
		require.Equal(t, http.StatusOK, answer.Code)
		require.Equal(t, ui, answer.Header().Get("Access-Control-Allow-Origin"))
		require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		var opened commonpb.Payloads
		require.NoError(t, temporalproto.CustomJSONUnmarshalOptions{}.Unmarshal(answer.Body.Bytes(), &opened))
		require.Equal(t, `"hello"`, string(opened.GetPayloads()[0].GetData()))
	})

	for name, c := range map[string]struct {
		method, path string
		header       map[string]string
		status       int
	}{
		"without a token": {
			http.MethodPost, "/codec/decode", map[string]string{"Authorization": ""}, http.StatusUnauthorized,
		},
		"with another token": {
			http.MethodPost, "/codec/decode", map[string]string{"Authorization": "Bearer x"},
			http.StatusUnauthorized,
		},
		"of another namespace": {
			http.MethodPost, "/codec/decode", map[string]string{"X-Namespace": "other"}, http.StatusForbidden,
		},
		"of another web origin": {
			http.MethodPost, "/codec/decode", map[string]string{"Origin": "http://evil.example"},
			http.StatusForbidden,
		},
		"to seal": {http.MethodPost, "/codec/encode", nil, http.StatusOK},
		"to seal of who only reads": {
			http.MethodPost, "/codec/encode", map[string]string{"Authorization": "Bearer reader"}, http.StatusForbidden,
		},
		"to read of who only reads": {
			http.MethodPost, "/codec/decode", map[string]string{"Authorization": "Bearer reader"}, http.StatusOK,
		},
		"for something else": {http.MethodPost, "/codec/download", nil, http.StatusNotFound},
		"by GET":             {http.MethodGet, "/codec/decode", nil, http.StatusNotFound},
		"a preflight of the UI is good": {
			http.MethodOptions, "/codec/decode", map[string]string{"Authorization": ""}, http.StatusNoContent,
		},
		"a preflight of others is not": {
			http.MethodOptions, "/codec/decode", map[string]string{"Origin": "http://evil.example"},
			http.StatusForbidden,
		},
		"a tool without origin is served": {http.MethodPost, "/decode", map[string]string{"Origin": ""}, http.StatusOK},
	} {
		t.Run("a request "+name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.status, ask(c.method, c.path, c.header).Code)
		})
	}
}

// An argument that a person types in the UI for an Update gets a proof if the Update needs one. If the proof cannot be
// stored, nothing is sealed.
func TestTheCodecAttachesProofs(t *testing.T) {
	t.Parallel()
	codec := codecWith(t, map[string][]byte{"k1": key(1)}, "k1")
	for name, c := range map[string]struct {
		payloads []*commonpb.Payload
		keep     error
		proofs   int
		status   int
	}{
		"an Update of a filing": {[]*commonpb.Payload{payload(`{"reason":"END"}`)}, nil, 1, http.StatusOK},
		"which cannot be noted": {[]*commonpb.Payload{payload(`{"reason":"END"}`)}, errors.New("database"), 1,
			http.StatusServiceUnavailable},
		"a confirmation": {[]*commonpb.Payload{payload(`{"organization_id":"org_1","reason":"END"}`)}, nil, 1,
			http.StatusOK},
		"something else": {[]*commonpb.Payload{payload(`{"step":1}`)}, nil, 0, http.StatusOK},
		"more than one":  {[]*commonpb.Payload{payload(`{}`), payload(`{}`)}, nil, 0, http.StatusOK},
		"another encoding than JSON": {
			[]*commonpb.Payload{{Metadata: map[string][]byte{"encoding": []byte("json/protobuf")},
				Data: []byte(`{}`)}}, nil, 0, http.StatusOK,
		},
		"nothing": {nil, nil, 0, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var kept []models.Proof
			handler := NewCodecHandler(codec, CodecHandlerOptions{
				Namespaces: []string{"levy"},
				Authorize: func(*http.Request, CodecUse) (KeepProof, error) {
					return func(proof models.Proof) error {
						kept = append(kept, proof)
						return c.keep
					}, nil
				},
			})
			body, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(&commonpb.Payloads{Payloads: c.payloads})
			require.NoError(t, err)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/codec/encode", bytes.NewReader(body))
			r.Header.Set("X-Namespace", "levy")
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			require.Equal(t, c.status, w.Code, w.Body.String())
			require.Len(t, kept, c.proofs)
			if c.status != http.StatusOK {
				require.NotContains(t, w.Body.String(), "payloads")
				return
			}
			var sealed commonpb.Payloads
			require.NoError(t, temporalproto.CustomJSONUnmarshalOptions{}.Unmarshal(w.Body.Bytes(), &sealed))
			opened, err := codec.Decode(sealed.GetPayloads())
			require.NoError(t, err)
			require.Len(t, opened, len(c.payloads))
			for i := range opened {
				require.ErrorIs(t, dataConverter(codec).FromPayload(sealed.GetPayloads()[i],
					new(models.StepSubmission)), ErrNotSealed)
				delete(opened[i].Metadata, metadataTyped)
			}
			if c.proofs == 0 {
				for i := range opened {
					require.True(t, proto.Equal(c.payloads[i], opened[i]), "it is sealed as it was entered")
				}
				return
			}
			var message workflows.FilingMessage
			require.NoError(t, json.Unmarshal(opened[0].GetData(), &message))
			require.Equal(t, "END", message.Reason)
			proof, err := models.ReadProof(message.Proof)
			require.NoError(t, err)
			require.Equal(t, kept[0].Digest(), proof.Digest())
		})
	}
}

// filler is a body of twice the allowed size. It counts the bytes that are read.
type filler struct{ read int }

func (f *filler) Read(p []byte) (int, error) {
	if f.read >= 2*maxCodecBody {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	f.read += len(p)
	return len(p), nil
}

// The handler reads no body of a refused caller, and no more than the limit of another.
func TestCodecHandlerReadsWithinItsLimit(t *testing.T) {
	t.Parallel()
	handler := NewCodecHandler(codecWith(t, map[string][]byte{"k1": key(1)}, "k1"), CodecHandlerOptions{
		Namespaces: []string{"levy"},
		Authorize:  ofOperator,
	})
	for name, c := range map[string]struct {
		authorization string
		length        int64
		status, most  int
	}{
		"of a stranger":             {"Bearer x", -1, http.StatusUnauthorized, 0},
		"that says it is too long":  {"Bearer oper", maxCodecBody + 1, http.StatusRequestEntityTooLarge, 0},
		"that does not say so":      {"Bearer oper", -1, http.StatusBadRequest, maxCodecBody + 1},
		"that says less than it is": {"Bearer oper", 10, http.StatusBadRequest, maxCodecBody + 1},
	} {
		t.Run("a body "+name, func(t *testing.T) {
			t.Parallel()
			body := &filler{}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/codec/decode", body)
			r.ContentLength = c.length
			r.Header.Set("X-Namespace", "levy")
			r.Header.Set("Authorization", c.authorization)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			require.Equal(t, c.status, w.Code, w.Body.String())
			require.LessOrEqual(t, body.read, c.most)
		})
	}
}

// A request uses at most 64 MiB, whatever the size of the opened payloads. The test counts all memory that is allocated
// meanwhile, also by the test itself, and the race detector doubles it. So no other test may run at the same time.
func TestARequestOfTheCodecHoldsLittle(t *testing.T) {
	codec := codecWith(t, map[string][]byte{"k1": key(1)}, "k1")
	handler := NewCodecHandler(codec, CodecHandlerOptions{Namespaces: []string{"levy"}, Authorize: ofOperator})
	random := make([]byte, 1<<20) // not compressible
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	for name, c := range map[string]struct {
		data          []byte
		times, status int
	}{
		"what comes out as it went in": {random, 5, http.StatusOK},
		"what was compressed":          {make([]byte, 1<<20), 7, http.StatusOK},
		"a bomb of many":               {make([]byte, 1<<20), 20, http.StatusBadRequest},
		"a bomb":                       {make([]byte, 16<<20), 1, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			sealed, err := codec.Encode([]*commonpb.Payload{{Data: c.data}})
			require.NoError(t, err)
			body, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(&commonpb.Payloads{Payloads: slices.Repeat(sealed,
				c.times)})
			require.NoError(t, err)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/codec/decode", bytes.NewReader(body))
			r.Header.Set("X-Namespace", "levy")
			r.Header.Set("Authorization", "Bearer oper")
			w := httptest.NewRecorder()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			handler.ServeHTTP(w, r)
			runtime.ReadMemStats(&after)
			require.Equal(t, c.status, w.Code, "%.200s", w.Body)
			require.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(2*96), "MiB")
		})
	}
}

// BenchmarkCodec seals and opens the references of a full batch.
func BenchmarkCodec(b *testing.B) {
	codec := codecWith(b, map[string][]byte{"k1": key(1)}, "k1")
	raw, err := json.Marshal(workflows.TransactionsInput{
		Refs: someRefs(workflows.MaxBatch, workflows.MaxBatchOrganizations),
	})
	require.NoError(b, err)
	in := []*commonpb.Payload{payload(string(raw))}
	b.ReportAllocs()
	for b.Loop() {
		sealed, err := codec.Encode(in)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := codec.Decode(sealed); err != nil {
			b.Fatal(err)
		}
	}
}

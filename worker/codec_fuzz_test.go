package worker

import (
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"google.golang.org/protobuf/proto"
)

// FuzzCodec checks that a sealed payload opens unchanged. The codec refuses payloads that it has not sealed, and sealed
// payloads that were changed.
func FuzzCodec(f *testing.F) {
	codec := codecWith(f, map[string][]byte{"k1": key(1), "k2": key(2)}, "k1")
	f.Add("k1", []byte("{}"), 0)
	f.Add("k2", []byte{}, 3)
	f.Add("", make([]byte, 2*deflateFrom), 20)
	f.Add("unknown", []byte("\x00\x01\xff"), -1)
	f.Add("k1/2026-01-01/x", []byte("too short"), -1)
	f.Fuzz(func(t *testing.T, id string, data []byte, at int) {
		in := payload(string(data))
		sealed, err := codec.Encode([]*commonpb.Payload{in})
		require.NoError(t, err)
		opened, err := codec.Decode(sealed)
		require.NoError(t, err)
		require.True(t, proto.Equal(in, opened[0]))

		forged := &commonpb.Payload{
			Metadata: map[string][]byte{metadataEncoding: []byte(encodingEncrypted), metadataKeyID: []byte(id)},
			Data:     data,
		}
		_, err = codec.Decode([]*commonpb.Payload{forged})
		require.ErrorIs(t, err, ErrUndecodable)

		if at >= 0 && at < len(sealed[0].Data) {
			sealed[0].Data[at] ^= 1
			_, err = codec.Decode(sealed)
			require.ErrorIs(t, err, ErrUndecodable)
		}
	})
}

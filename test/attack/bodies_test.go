package attack_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

const sales = "/v1/transactions"

// hostileJSON: everything that is not one strict object is refused, and what is doubled
// or deep costs nothing.
func hostileJSON(b *attackRun) {
	good := saleBody("HOSTILE", 1)
	withMember := func(text string) string { return "{" + text + "," + good[1:] }
	bodies := []string{
		"", "null", "[]", `""`, "1", good[:len(good)-1], good + "{}", good + "x", strings.ReplaceAll(good, `"`, `'`),
		"\ufeff" + good, "/**/" + good,
		"{\x00\"\x00a\x00", withMember(`"external_id":"TWICE"`), withMember(`"\u0065xternal_id":"TWICE"`),
		withMember(`"EXTERNAL_ID":"TWICE"`),
		withMember(`"x":"\u0000"`), withMember(`"x":"` + "\xff\xfe" +
			`"`), withMember(`"x":"\ud800"`), withMember(`"x":"` + "\x01" + `"`),
		withMember(`"__proto__":{"a":1},"__proto__":{}`),
		strings.Repeat("[", 1<<19), strings.Repeat(`{"a":`, 1<<17) + "1" +
			strings.Repeat("}", 1<<17), withMember(`"x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)),
		withMember(`"description":"` + strings.Repeat("x", 1<<19) + `"`), withMember(`"x":["` +
			strings.Repeat(`","`, 1<<17) + `"]`), withMember(manyMembers(60_000)),
	}
	b.parallel(32, func(i int) {
		for round := range len(bodies) / 2 {
			body := bodies[(i+2*round)%len(bodies)]
			if strings.Contains(body, `["`) || strings.Contains(body, `"k1":`) {
				body = strings.Replace(body, `"total_amount"`, `"total"`,
					1) // wide, but well formed: unknown members are passed over
			}
			b.attack(http.MethodPost, sales, body)
		}
	})
	b.only("400 invalid_json", "400 validation_failed", "413 payload_too_large", "202", "409 duplicate_external_id", "429")
	require.LessOrEqual(b, b.count("202"), 1)
}

func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = `"k` + itoa(i) + `":1`
	}
	return strings.Join(members, ",")
}

// hostileNumbers are refused before any arithmetic, but -0, which is 0.
func hostileNumbers(b *attackRun) {
	put := func(number string) string {
		return strings.Replace(saleBody("NUMBER", 1), `"amount":10.01`, `"amount":`+number, 1)
	}
	require.Contains(b, put("7"), `"amount":7`)
	numbers := []string{
		"1e400", "1e-400", "1E1000000000", "-1e309", "1e+99999999999999999999", "NaN", "Infinity", "-Infinity", "+1",
		"012", "0x10", ".5", "5.", "1_000", "١", "-",
		`"NaN"`, `"1e400"`, `" 1"`, `"1,00"`, `"` + strings.Repeat("9", 33) + `"`, "9" +
			strings.Repeat("0", 1<<19), "0." + strings.Repeat("0", 1<<19) +
			"1", "10000000000.00", "0.005", "1e20", "true", "{}",
	}
	b.parallel(8, func(i int) {
		for round := range numbers {
			b.attack(http.MethodPost, sales, put(numbers[(i+round)%len(numbers)]))
		}
	})
	b.only("400 invalid_json", "400 validation_failed")
	zero := strings.Replace(strings.Replace(saleBody("ZERO", 1), `"amount":10.01`, `"amount":-0`, 1),
		`"total_amount":10.01`, `"total_amount":-0.00`, 1)
	answer := b.attack(http.MethodPost, sales, zero)
	require.Equal(b, http.StatusAccepted, answer.Status, "%s", answer.Body)
	require.Contains(b, string(answer.Body), `"total_amount":"0.00"`)
}

// largeBodies: an organization holds at most its share of the memory for large bodies,
// so that there is memory for the victim's batch.
func largeBodies(b *attackRun) {
	row := saleBody("LARGE", 1)
	padding := strings.Repeat(" ", 10<<20-len(row)-100)
	held := []string{}
	for range 12 {
		conn := b.attacker.dial()
		_, err := io.WriteString(conn,
			b.attacker.head("POST", "/v1/transactions/batch")+"Content-Type: "+
				"application/json\r\nContent-Length: 10485760\r\n\r\n{")
		require.NoError(b, err)
		held = append(held, "")
	}
	b.parallel(12, func(int) {
		b.attack(http.MethodPost, "/v1/transactions/batch", `{"transactions":[`+padding+row+`]}`)
	})
	b.only("200", "503 service_unavailable", "429 rate_limited")
	answer, err := b.victim.send(b.Context(), http.MethodPost, "/v1/transactions/batch",
		`{"transactions":[`+padding+`{}]}`)
	require.NoError(b, err)
	require.NotEqual(b, http.StatusServiceUnavailable, answer.Status,
		"%d connections of another organization take all the memory: %s", len(held), answer.Body)
}

// compressedBodies are not accepted in any form, so that nothing is unpacked.
func compressedBodies(b *attackRun) {
	zipped, deflated := zipBomb(b), deflateBomb(b)
	b.parallel(16, func(i int) {
		b.attack(http.MethodPost, sales, zipped, "Content-Encoding", []string{"gzip", "x-gzip", "GZIP", "gzip, gzip"}[i%4])
		b.attack(http.MethodPost, sales, deflated, "Content-Encoding", []string{"deflate", "br", "zstd", "compress"}[i%4])
		b.attack(http.MethodPost, sales, zipped, "Content-Type", "application/gzip")
		b.attack(http.MethodPost, "/v1/transactions/imports", zipped, "Content-Type", "text/csv", "Content-Encoding", "gzip")
	})
	b.only("415 unsupported_media_type", "413 payload_too_large")
}

// bombed is what a bomb is when it is unpacked: so many times a piece of spaces. To pack
// all of it would take longer than the attack.
const bombed = 256

func piece() []byte { return bytes.Repeat([]byte(" "), 1<<20) }

// zipBomb repeats one file: files of gzip may follow each other.
func zipBomb(b *attackRun) string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(piece())
	require.NoError(b, errors.Join(err, w.Close()))
	return strings.Repeat(packed.String(), bombed)
}

// deflateBomb repeats the second piece, which is packed as one that follows its like.
func deflateBomb(b *attackRun) string {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	require.NoError(b, err)
	var ends []int
	for range 2 {
		_, err := w.Write(piece())
		require.NoError(b, errors.Join(err, w.Flush()))
		ends = append(ends, packed.Len())
	}
	require.NoError(b, w.Close())
	text := packed.String()
	return text[:ends[0]] + strings.Repeat(text[ends[0]:ends[1]], bombed-1) + text[ends[1]:]
}

// spaces is a text without an end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

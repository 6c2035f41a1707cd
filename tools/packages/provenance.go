package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	provenance "github.com/in-toto/attestation/go/predicates/provenance/v1"
	intoto "github.com/in-toto/attestation/go/v1"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

const (
	sumsFile       = "SHA256SUMS"
	provenanceFile = "provenance.intoto.jsonl"
	payloadType    = "application/vnd.in-toto+json"
	predicateType  = "https://slsa.dev/provenance/v1"
)

// sum is the digest of a file of the release.
type sum struct{ name, sha256 string }

// sums writes SHA256SUMS in the form that `sha256sum -c` reads. It returns the digests of all files, that of SHA256SUMS
// too.
func (r release) sums() ([]sum, error) {
	for _, name := range []string{sumsFile, provenanceFile} { // of an earlier run
		if err := os.RemoveAll(r.at(name)); err != nil {
			return nil, err
		}
	}
	entries, err := os.ReadDir(r.dist) // sorted by name
	if err != nil {
		return nil, err
	}
	var sums []sum
	var text strings.Builder
	for _, entry := range entries {
		digest, err := digestOf(r.at(entry.Name()))
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum{entry.Name(), digest})
		fmt.Fprintf(&text, "%s  %s\n", digest, entry.Name())
	}
	if err := os.WriteFile(r.at(sumsFile), []byte(text.String()), 0o644); err != nil {
		return nil, err
	}
	digest := sha256.Sum256([]byte(text.String()))
	return append(sums, sum{sumsFile, hex.EncodeToString(digest[:])}), nil
}

func digestOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// provenance signs which files come from which commit, and writes the envelope. It has no times and no numbers of a run:
// the same commit and key give the same bytes.
func (r release) provenance(sums []sum) error {
	key, err := readKey(r.key)
	if err != nil {
		return err
	}
	statement, err := r.statement(sums)
	if err != nil {
		return err
	}
	signer, err := dsse.NewEnvelopeSigner(key)
	if err != nil {
		return err
	}
	envelope, err := signer.SignPayload(context.Background(), payloadType, statement)
	if err != nil {
		return err
	}
	line, err := json.Marshal(envelope)
	if err != nil {
		return err
	}
	return os.WriteFile(r.at(provenanceFile), append(line, '\n'), 0o644)
}

// statement is an in-toto statement with a SLSA provenance.
func (r release) statement(sums []sum) ([]byte, error) {
	parameters, err := structpb.NewStruct(map[string]any{"version": r.version, "command": "make release"})
	if err != nil {
		return nil, err
	}
	from := r.program
	if _, err := os.Stat(from); err != nil { // a release for other systems
		from = r.programs()[0]
	}
	program, err := buildinfo.ReadFile(from)
	if err != nil {
		return nil, err
	}
	predicate := &provenance.Provenance{
		BuildDefinition: &provenance.BuildDefinition{
			BuildType: "urn:levy:make-release:1", ExternalParameters: parameters,
			ResolvedDependencies: []*intoto.ResourceDescriptor{
				{Name: "source", Digest: map[string]string{"gitCommit": r.commit}},
				{Name: "toolchain", Uri: "pkg:golang/toolchain@" + strings.TrimPrefix(program.GoVersion, "go")},
			},
		},
		RunDetails: &provenance.RunDetails{Builder: &provenance.Builder{Id: "urn:levy:publisher"}},
	}
	if err := predicate.Validate(); err != nil {
		return nil, err
	}
	fields := &structpb.Struct{}
	if text, err := protojson.Marshal(predicate); err != nil {
		return nil, err
	} else if err := protojson.Unmarshal(text, fields); err != nil {
		return nil, err
	}
	statement := &intoto.Statement{Type: intoto.StatementTypeUri, PredicateType: predicateType, Predicate: fields}
	for _, s := range sums {
		statement.Subject = append(statement.Subject, &intoto.ResourceDescriptor{
			Name: s.name, Digest: map[string]string{"sha256": s.sha256},
		})
	}
	if err := statement.Validate(); err != nil {
		return nil, err
	}
	return stable(statement)
}

// stable is a message as JSON that is the same each time: protojson adds spaces by chance.
func stable(message proto.Message) ([]byte, error) {
	text, err := protojson.Marshal(message)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = json.Compact(&b, text)
	return b.Bytes(), err
}

// publisherKey signs envelopes by Ed25519.
type publisherKey struct{ private ed25519.PrivateKey }

// readKey reads a private key as `levy content key` writes it. Errors never repeat it.
func readKey(path string) (publisherKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return publisherKey{}, err
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return publisherKey{}, fmt.Errorf("LEVY_CONTENT_SIGNING_KEY_FILE has no %d bytes in base64", ed25519.SeedSize)
	}
	return publisherKey{ed25519.NewKeyFromSeed(seed)}, nil
}

// Sign returns the signature of data.
func (k publisherKey) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(k.private, data), nil
}

// Verify returns an error unless the key signed data.
func (k publisherKey) Verify(_ context.Context, data, signature []byte) error {
	if !ed25519.Verify(k.public(), data, signature) {
		return errors.New("another signature")
	}
	return nil
}

// KeyID names the key in the envelope, by its digest.
func (k publisherKey) KeyID() (string, error) {
	digest := sha256.Sum256(k.public())
	return hex.EncodeToString(digest[:]), nil
}

// Public returns the public key.
func (k publisherKey) Public() crypto.PublicKey { return k.public() }

func (k publisherKey) public() ed25519.PublicKey { return k.private.Public().(ed25519.PublicKey) }

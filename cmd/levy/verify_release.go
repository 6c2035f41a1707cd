package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

const (
	// provenanceFile is the signed statement of a release, which names all its other files.
	provenanceFile = "provenance.intoto.jsonl"
	maxProvenance  = 4 << 20 // bytes

	statementPayload    = "application/vnd.in-toto+json"
	statementType       = "https://in-toto.io/Statement/v1"
	provenancePredicate = "https://slsa.dev/provenance/v1"
)

type verifyReleaseCmd struct {
	Folder string   `arg:"" type:"existingdir" help:"Folder with files of the release, and provenance.intoto.jsonl."`
	Keys   []string `name:"key" placeholder:"BASE64" help:"Public key of the publisher; default: those of LEVY_CONTENT_KEYS."`
}

// Run compares the files of the folder with the statement. Errors name each file that differs or is none of the release.
func (c verifyReleaseCmd) Run(p *program) error {
	keys, err := c.keys(p.config)
	if err != nil {
		return err
	}
	statement, err := readProvenance(filepath.Join(c.Folder, provenanceFile), keys)
	if err != nil {
		return fmt.Errorf("%s: %w", provenanceFile, err)
	}
	count, err := statement.compare(c.Folder)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%d of the %d files of levy %s are here, as the publisher signed them. Commit: %s.\n",
		count, len(statement.Subject), statement.version(), statement.commit())
	return err
}

func (c verifyReleaseCmd) keys(config Config) ([]ed25519.PublicKey, error) {
	if len(c.Keys) == 0 && len(config.ContentKeys) == 0 {
		return nil, errors.New("say --key with the public key of the publisher, as you have it from elsewhere than the release")
	}
	if len(c.Keys) == 0 {
		return trustedKeys(config.ContentKeys)
	}
	return publicKeys("--key", c.Keys)
}

// releaseStatement is an in-toto statement with a SLSA provenance: the parts that are read here.
type releaseStatement struct {
	Type          string `json:"_type"`
	PredicateType string `json:"predicateType"`
	Subject       []struct {
		Name   string            `json:"name"`
		Digest map[string]string `json:"digest"`
	} `json:"subject"`
	Predicate struct {
		BuildDefinition struct {
			ExternalParameters map[string]any `json:"externalParameters"`
			Dependencies       []struct {
				Digest map[string]string `json:"digest"`
			} `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
	} `json:"predicate"`
}

func (s *releaseStatement) version() string {
	version, _ := s.Predicate.BuildDefinition.ExternalParameters["version"].(string)
	return version
}

func (s *releaseStatement) commit() string {
	for _, dependency := range s.Predicate.BuildDefinition.Dependencies {
		if commit := dependency.Digest["gitCommit"]; commit != "" {
			return commit
		}
	}
	return "not named"
}

// readProvenance returns the statement of a file. Errors: none of the keys signed it, or it is another kind of statement.
func readProvenance(path string, keys []ed25519.PublicKey) (*releaseStatement, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxProvenance))
	if err != nil {
		return nil, err
	}
	// The envelope is that of https://github.com/secure-systems-lab/dsse. Its library knows keys of SSH too, whose
	// packages Levy would need for this alone.
	var envelope struct {
		PayloadType string `json:"payloadType"`
		Payload     []byte `json:"payload"`
		Signatures  []struct {
			Signature []byte `json:"sig"`
		} `json:"signatures"`
	}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return nil, err
	}
	signed := fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(envelope.PayloadType), envelope.PayloadType, len(envelope.Payload),
		envelope.Payload)
	trusted := slices.ContainsFunc(keys, func(key ed25519.PublicKey) bool {
		for _, s := range envelope.Signatures {
			if ed25519.Verify(key, signed, s.Signature) {
				return true
			}
		}
		return false
	})
	// guard: release: files count only if the publisher signed their digests
	if !trusted {
		return nil, errors.New("none of the keys signed it: the release is not from this publisher, or it was changed")
	}
	if envelope.PayloadType != statementPayload {
		return nil, fmt.Errorf("it signs %q, which is no statement", envelope.PayloadType)
	}
	var statement releaseStatement
	if err := json.Unmarshal(envelope.Payload, &statement); err != nil {
		return nil, err
	}
	if statement.Type != statementType || statement.PredicateType != provenancePredicate {
		return nil, fmt.Errorf("its statement is a %s about %s, which is no provenance", statement.Type, statement.PredicateType)
	}
	return &statement, nil
}

// compare returns how many files of a folder are those of the statement. Errors: all files that are not, and no file.
func (s *releaseStatement) compare(folder string) (count int, err error) {
	digests := map[string]string{}
	for _, subject := range s.Subject {
		digests[subject.Name] = subject.Digest["sha256"]
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, entry := range entries {
		name := entry.Name()
		if name == provenanceFile {
			continue
		}
		want, known := digests[name]
		if !known {
			errs = append(errs, fmt.Errorf("%s is no file of the release", name))
			continue
		}
		got, err := fileSHA256(filepath.Join(folder, name))
		switch {
		case err != nil:
			errs = append(errs, err)
		// guard: release: each file has the digest that was signed
		case got != want:
			errs = append(errs, fmt.Errorf("%s was changed: its SHA-256 is %s, and the publisher signed %s", name, got, want))
		default:
			count++
		}
	}
	if count == 0 && len(errs) == 0 {
		return 0, errors.New("the folder has no file of the release")
	}
	return count, errors.Join(errs...)
}

// fileSHA256 returns the digest of a file in hexadecimal digits.
func fileSHA256(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

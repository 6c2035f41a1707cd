package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"levy/store"
	"levy/tax"
	"levy/tax/content"
)

// signingKeyMade is a key that signs bundles, for programs.
type signingKeyMade struct {
	File   string `json:"file"`
	Public string `json:"public_key"` // for LEVY_CONTENT_KEYS
}

// builtBundle is a bundle that was written, for programs.
type builtBundle struct {
	Version string `json:"version"`
	Folder  string `json:"folder"`
	content.Publication
}

type contentKeyCmd struct {
	jsonFlag

	File string `arg:"" help:"The file to write, for LEVY_CONTENT_SIGNING_KEY_FILE. It must not be there yet." type:"path"`
}

// Run writes a new private key, readable by its owner only, and prints the public one.
func (c contentKeyCmd) Run(p *program) (err error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := fmt.Fprintln(f, base64.StdEncoding.EncodeToString(private.Seed())); err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*signingKeyMade, error) {
		made := &signingKeyMade{c.File, base64.StdEncoding.EncodeToString(public)}
		_, err := fmt.Fprintf(p.stdout, "The key is in %s. Operators who use your bundles set\n  LEVY_CONTENT_KEYS=%s\n", c.File, made.Public)
		return made, err
	})
}

type contentBuildCmd struct {
	jsonFlag

	Version string `arg:"" optional:"" help:"A recorded version; without it and without --tables the content that this program carries."`
	Tables  string `help:"Folder with tables and VERSION, such as tax/content/data." type:"existingdir" placeholder:"DIR"`
	Out     string `help:"Folder for the three files of the bundle." required:"" type:"path" placeholder:"DIR"`
	publicationFlags
}

// Run checks the tables, signs them and writes the bundle.
func (c contentBuildCmd) Run(p *program) error {
	key, err := signingKey(p.config.ContentSigningKey)
	if err != nil {
		return err
	}
	pack, err := c.pack(p)
	if err != nil {
		return err
	}
	taxes, err := tax.ParseContent(pack)
	if err != nil {
		return err
	}
	number, err := c.number(c.Out, day(time.Now()))
	if err != nil {
		return err
	}
	bundle, err := content.NewBundle(pack, number, key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		content.PackFile: bundle.Pack, content.ManifestFile: bundle.Manifest, content.SignatureFile: bundle.Signature,
	} {
		if err := os.WriteFile(filepath.Join(c.Out, name), text, 0o644); err != nil { //nolint:gosec // it is published
			return err
		}
	}
	return tell(p, c.jsonFlag, func(p *program) (*builtBundle, error) {
		_, err := fmt.Fprintf(p.stdout, "%s is in %s, as bundle %d of %s. Publish the folder as it is, and the next one by %s.\n",
			taxes.Version(), c.Out, number.Sequence, number.Published, number.NextBy)
		return &builtBundle{taxes.Version(), c.Out, number}, err
	})
}

// pack reads the tables that the command names.
func (c contentBuildCmd) pack(p *program) (pack []byte, err error) {
	switch {
	case c.Version != "" && c.Tables != "":
		return nil, errors.New("name either a version or --tables")
	case c.Tables != "":
		return content.PackFolder(os.DirFS(c.Tables))
	case c.Version == "":
		return content.Packed(), nil
	}
	err = p.withContent(func(s *store.Store) error {
		if _, err := readVersion(p, s, c.Version); err != nil {
			return err
		}
		pack, err = s.Content.ContentPack(p.ctx, c.Version)
		return err
	})
	return pack, err
}

// signingKey reads the setting. Errors name it, never the key.
func signingKey(setting Secret) (ed25519.PrivateKey, error) {
	if setting == "" {
		return nil, errors.New("LEVY_CONTENT_SIGNING_KEY is not set: levy content key makes one")
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(setting.Reveal()))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("LEVY_CONTENT_SIGNING_KEY is not %d bytes in base64", ed25519.SeedSize)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// trustedKeys reads the setting. Errors: no key, or all keys that are none.
func trustedKeys(setting []string) (keys []ed25519.PublicKey, err error) {
	if len(setting) == 0 {
		return nil, errors.New("LEVY_CONTENT_KEYS names no key: a bundle counts only when one of them signed it")
	}
	return publicKeys("LEVY_CONTENT_KEYS", setting)
}

// publicKeys decodes the keys of a setting or flag. Errors: all keys that are none.
func publicKeys(name string, texts []string) (keys []ed25519.PublicKey, err error) {
	for i, text := range texts {
		key, keyErr := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
		if keyErr != nil || len(key) != ed25519.PublicKeySize {
			err = errors.Join(err, fmt.Errorf("%s: key %d is not %d bytes in base64", name, i+1, ed25519.PublicKeySize))
			continue
		}
		keys = append(keys, key)
	}
	return keys, err
}

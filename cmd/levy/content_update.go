package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/content"
)

type contentUpdateCmd struct {
	jsonFlag

	From        string `help:"Folder of the bundle, or its address: https://..." required:"" placeholder:"DIR|URL"`
	Activate    bool   `help:"Bring it into force at once."`
	AllowOlder  bool   `help:"Accept a version that is older than the one in force, and a bundle that does not follow the last one."`
	DropImports bool   `help:"With --activate: bring it into force although files that you imported are then no longer part of it."`
}

// Run verifies the bundle and records it, all or nothing, and shows what it changes. The same bundle again changes
// nothing.
func (c contentUpdateCmd) Run(p *program) error {
	trusted, err := trustedKeys(p.config.ContentKeys)
	if err != nil {
		return err
	}
	v, bundle, pack, err := c.fetch(p, trusted)
	if err != nil {
		return err
	}
	next, err := tax.ParseContent(pack)
	if err != nil {
		return fmt.Errorf("nothing was recorded: %w", err)
	}
	return p.withContent(func(s *store.Store) error {
		return tell(p, c.jsonFlag, func(p *program) (*contentUpdated, error) { return c.take(p, s, v, bundle, pack, next) })
	})
}

// contentUpdated is what became of a bundle, for programs.
type contentUpdated struct {
	Version string `json:"version"`
	InForce string `json:"in_force"`
	// Difference is null where the version is in force already.
	Difference *contentDifference `json:"difference"`
}

// take records a verified bundle and says what it changes.
func (c contentUpdateCmd) take(
	p *program, s *store.Store, v models.ContentVersion, bundle models.ContentPublication, pack []byte, next *tax.Content,
) (*contentUpdated, error) {
	bundle, err := checkPublication(p.ctx, p.stdout, s, bundle, c.AllowOlder, day(time.Now()))
	if err != nil {
		return nil, err
	}
	cache, err := s.Content.OpenCache(p.ctx)
	if err != nil {
		return nil, err
	}
	active := cache.Current()
	if content.Older(v.Version, active.Version()) && !c.AllowOlder {
		return nil, fmt.Errorf("%s is older than %s, which is in force: --allow-older accepts it", v.Version, active.Version())
	}
	if err := recordBundle(p, s, v, pack); err != nil {
		return nil, err
	}
	if bundle.Sequence > 0 {
		if err := s.Content.RecordPublication(p.ctx, bundle); err != nil {
			return nil, err
		}
	}
	did := &contentUpdated{Version: v.Version, InForce: active.Version()}
	if base, _, _ := strings.Cut(active.Version(), "+"); v.Version == base {
		fmt.Fprintf(p.stdout, "%s is in force already, as %s.\n", v.Version, active.Version())
		return did, nil
	}
	if did.Difference, err = (contentDiffCmd{}).show(p, s, active, next); err != nil {
		return nil, err
	}
	if err := c.finish(p, s, v, active.Version()); err != nil {
		return did, err
	}
	if c.Activate {
		did.InForce = v.Version
	}
	return did, nil
}

// fetch reads the bundle: nothing of it before its signature is verified.
func (c contentUpdateCmd) fetch(
	p *program, trusted []ed25519.PublicKey,
) (v models.ContentVersion, bundle models.ContentPublication, pack []byte, err error) {
	from, err := openBundle(c.From)
	if err != nil {
		return v, bundle, nil, err
	}
	manifest, err := from.read(p.ctx, content.ManifestFile, content.MaxManifest)
	if err != nil {
		return v, bundle, nil, err
	}
	signature, err := from.read(p.ctx, content.SignatureFile, content.MaxSignature)
	if err != nil {
		return v, bundle, nil, err
	}
	m, key, err := content.OpenManifest(manifest, signature, trusted)
	if err != nil {
		return v, bundle, nil, err
	}
	if pack, err = from.read(p.ctx, content.PackFile, m.Pack.Bytes); err != nil {
		return v, bundle, nil, err
	}
	v = models.ContentVersion{
		Version: m.Version,
		Note:    fmt.Sprintf("Bundle from %s, signed by %s.", from, base64.StdEncoding.EncodeToString(key)),
	}
	for _, t := range m.Tables {
		v.Sources = append(v.Sources, models.ContentSource{File: t.Name, SHA256: t.SHA256, Rows: t.Rows})
	}
	return v, publicationOf(m, manifest), pack, m.CheckPack(pack)
}

// recordBundle keeps the version, unless it is here. Errors: another content is here under its name.
func recordBundle(p *program, s *store.Store, v models.ContentVersion, pack []byte) error {
	created, err := s.Content.RecordContent(p.ctx, v, pack)
	if err != nil || created {
		return err
	}
	known, err := s.Content.ContentPack(p.ctx, v.Version)
	if err != nil {
		return err
	}
	same, err := content.SameTables(known, pack)
	if err != nil {
		return err
	}
	if !same {
		return fmt.Errorf("%w: another content is recorded here as %s, and a version never changes", content.ErrBundle,
			v.Version)
	}
	return nil
}

// finish activates the version or says how. Files that were imported into the version in force are not in it.
func (c contentUpdateCmd) finish(p *program, s *store.Store, v models.ContentVersion, active string) error {
	imported, err := importsOf(p, s, active)
	if err != nil {
		return err
	}
	if len(imported) > 0 {
		fmt.Fprintf(p.stdout, "%s, which is in force, has files that you imported and %s lacks: %s.\n"+
			"Import them again, and activate what that makes.\n", active, v.Version, strings.Join(imported, ", "))
	}
	if c.Activate && len(imported) > 0 && !c.DropImports {
		return fmt.Errorf("%s was recorded and not activated: --drop-imports activates it without those files", v.Version)
	}
	if c.Activate {
		_, err := activate(p, s, v.Version, "Updated by the operator. "+v.Note)
		return err
	}
	fmt.Fprintf(p.stdout, "Recorded %s. It is not in force yet:\n  levy content activate %[1]s\n", v.Version)
	return nil
}

// importsOf names the files that were imported into a version and those it was made from.
func importsOf(p *program, s *store.Store, version string) (files []string, err error) {
	list, err := s.Content.ListContent(p.ctx)
	if err != nil {
		return nil, err
	}
	for version != "" {
		i := slices.IndexFunc(list, func(v models.ContentVersion) bool { return v.Version == version })
		if i < 0 || list[i].Base == "" {
			return files, nil
		}
		for _, source := range list[i].Sources {
			if !slices.Contains(files, source.File) {
				files = append(files, source.File)
			}
		}
		version = list[i].Base
	}
	return files, nil
}

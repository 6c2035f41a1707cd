package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"levy/models"
	"levy/tax"
	"levy/tax/content"
)

type contentBoundariesCmd struct {
	jsonFlag

	Files []string `arg:"" name:"file" help:"Boundary files of member states, .csv or .zip, under their official names." type:"existingfile"`
}

// Run imports the files one after the other; all go into one new version.
func (c contentBoundariesCmd) Run(p *program) error {
	return p.withDraft(c.jsonFlag, func(p *program, d *draft) error {
		for _, file := range c.Files {
			if err := importBoundaries(p, d, file); err != nil {
				return err
			}
		}
		return nil
	})
}

// chunkRecords is how many records are stored at once: an interrupted import
// repeats at most so many.
const chunkRecords = 20_000

// importBoundaries checks a file and loads its records. Nothing of it counts
// before the new content is activated. Repeating it goes on where it stopped.
func importBoundaries(p *program, d *draft, file string) error {
	f, err := d.openFeed(file, 'B', "boundary")
	if err != nil {
		return err
	}
	records := 0
	sum, err := f.read(p.progressTo, "Checking", func(r io.Reader) (err error) {
		records, err = content.CheckBoundaries(content.NewBoundaryReader(f.name, r, f.fips))
		return err
	})
	if err != nil {
		return err
	}
	load, err := d.loadFile(p.ctx, p.stdout, p.progressTo, f, sum, records)
	if err != nil {
		return err
	}
	sets, err := d.store.Content.BoundarySets(p.ctx, load.ID)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: %d records with %d different sets of jurisdictions.\n", f.name, records, len(sets))
	if err := d.tables.SetBoundaries(f.of.State, load.ID, f.name, hex.EncodeToString(sum)); err != nil {
		return err
	}
	d.imported(f.feed, sum, records)
	return nil
}

// loadFile stores the records of a checked boundary file, or the rest of them.
func (d *draft) loadFile(
	ctx context.Context, out, progress io.Writer, f stateFeed, sum []byte, records int,
) (models.BoundaryLoad, error) {
	load, err := d.store.Content.OpenBoundaryLoad(ctx, f.of.State, f.name, sum)
	if err != nil {
		return load, err
	}
	switch {
	case load.Complete:
		fmt.Fprintf(out, "%s: %d records were loaded before.\n", f.name, load.Records)
		return load, nil
	case load.Records > 0:
		fmt.Fprintf(out, "%s: going on after %d of %d records.\n", f.name, load.Records, records)
	}
	_, err = f.read(progress, "Loading", func(r io.Reader) error {
		return d.loadBoundaries(ctx, f.of.State, &load, content.NewBoundaryReader(f.name, r, f.fips))
	})
	return load, err
}

// loadBoundaries stores the records of a state from the mark of the load on.
func (d *draft) loadBoundaries(
	ctx context.Context, state string, load *models.BoundaryLoad, in *content.BoundaryReader,
) error {
	sets, err := d.store.Content.BoundarySets(ctx, load.ID)
	if err != nil {
		return err
	}
	var chunk models.BoundaryChunk
	done, skip := int64(0), load.Records
	for {
		r, err := in.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if errors.Is(err, io.EOF) || chunk.Records >= chunkRecords {
			if err := d.store.Content.AppendBoundaries(ctx, load, chunk); err != nil {
				return err
			}
			chunk = models.BoundaryChunk{ZIPs: chunk.ZIPs[:0], Streets: chunk.Streets[:0]}
		}
		if errors.Is(err, io.EOF) {
			return d.store.Content.FinishBoundaryLoad(ctx, load)
		}
		if done++; done > skip {
			d.addBoundary(&chunk, sets, state, r)
		}
	}
}

// addBoundary adds a record to a chunk, with its set of jurisdictions where that is new.
func (d *draft) addBoundary(
	chunk *models.BoundaryChunk, sets map[string]int32, state string, r *content.BoundaryRecord,
) {
	chunk.Records++
	set, ok := sets[string(r.Codes)]
	if !ok {
		set = int32(len(sets) + 1)
		sets[string(r.Codes)] = set
		chunk.Sets = append(chunk.Sets, models.BoundarySet{No: set, Codes: string(r.Codes)})
	}
	if r.Type != 'A' {
		chunk.ZIPs = appendZIPs(chunk.ZIPs, d.base, state, r, set)
		return
	}
	chunk.Streets = append(chunk.Streets, models.BoundaryStreet{
		ZIP: r.ZIP, Street: r.Street, Low: r.Low, High: r.High, Side: r.Side, From: r.From, To: r.To, Set: set,
	})
}

// appendZIPs writes a range of ZIPs out. Numbers that are no ZIP of the state are
// left out; a ZIP named alone counts although it may be too new to be known.
func appendZIPs(
	rows []models.BoundaryZIP, base *tax.Content, state string, r *content.BoundaryRecord, set int32,
) []models.BoundaryZIP {
	for zip := r.ZIPLow; zip <= r.ZIPHigh; zip++ {
		known, inside := base.StateOfZIP(zip, state)
		if !inside && (known || r.ZIPLow < r.ZIPHigh) {
			continue
		}
		row := models.BoundaryZIP{
			Kind: r.Type, ZIP: fmt.Sprintf("%05d", zip), Low: 0, High: 9999, From: r.From, To: r.To, Set: set,
		}
		if zip == r.ZIPLow {
			row.Low = int16(r.Plus4Low)
		}
		if zip == r.ZIPHigh {
			row.High = int16(r.Plus4High)
		}
		rows = append(rows, row)
	}
	return rows
}

package content

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ImportCSV imports a table of rates. The table replaces the rows of each of its jurisdictions from the first day on
// that it names. A rate file of a state has precedence over such a table. Errors: *RefusedError.
func (t Tables) ImportCSV(rates []CSVRate) (RateImport, error) {
	var done RateImport
	var refused RefusedError
	book, err := t.openBook()
	if err != nil {
		return done, err
	}
	places, err := t.sheet("places.csv")
	if err != nil {
		return done, err
	}
	at := book.placesByZIP(places)
	periods, sources := map[string][]period{}, map[string]string{}
	for _, r := range rates {
		id, isNew, err := book.named(r)
		if err == nil && book.official(id) {
			err = fmt.Errorf("the rate file of %s gives the rate of %s already", r.State, r.Name)
		}
		if err == nil && r.ZIP != "" {
			err = attach(places, at[r.ZIP], r, id)
		}
		if err != nil {
			refused.add(Fault{r.At, err.Error()})
			continue
		}
		if isNew {
			done.New++
		}
		periods[id] = append(periods[id], period{r.At, r.From, r.To, r.Rate})
		sources[id] = csvSource(r.Source)
		book.cite(sources[id], r.Source, "Operator", r.From.String())
	}
	done.Jurisdictions = len(periods)
	for _, id := range slices.Sorted(maps.Keys(periods)) {
		ordered, gaps := series(periods[id], &refused)
		done.Gaps += min(gaps, 1)
		done.Rates += book.supersede(id, "*", sources[id], ordered, nil)
	}
	if err := refused.err(); err != nil {
		return done, err
	}
	if err := t.put(places); err != nil {
		return done, err
	}
	return done, book.close(t)
}

func csvSource(text string) string { return "CSV-" + shortHash(text) }

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// longestName is how much of a name an id may hold, so that the ids of its rules are not too long.
const longestName = 22

// newID returns an id that no jurisdiction has. The end of an id becomes a part of the ids of rules, so cities and
// districts do not share it either.
func (b *book) newID(r CSVRate, letter string) string {
	name := strings.Join(strings.FieldsFunc(
		strings.ToLower(r.Name), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') },
	), "-")
	end := "-csv-" + name
	if len(name) > longestName || slices.ContainsFunc(b.jurisdictions.rows, func(row []string) bool {
		return b.jurisdictions.get(row, "state") == r.State && strings.HasSuffix(b.jurisdictions.get(row, "id"), end)
	}) {
		hash := shortHash(nameKey(r.State, r.Level, r.Name))
		end = strings.TrimRight("-csv-"+name[:min(len(name), longestName-len(hash)-1)], "-") + "-" + hash
	}
	return "US-" + r.State + "-" + letter + end
}

// named finds a jurisdiction by state, level and name. An unknown jurisdiction is added if the line says where it
// applies.
func (b *book) named(r CSVRate) (id string, isNew bool, err error) {
	if b.byName == nil {
		b.byName = map[string]string{}
		for _, row := range b.jurisdictions.rows {
			for _, column := range []string{"name", "label"} {
				if name := b.jurisdictions.get(row, column); name != "" {
					key := nameKey(b.jurisdictions.get(row, "state"), b.jurisdictions.get(row, "level"), name)
					if _, taken := b.byName[key]; !taken {
						b.byName[key] = b.jurisdictions.get(row, "id")
					}
				}
			}
		}
	}
	key := nameKey(r.State, r.Level, r.Name)
	if id, ok := b.byName[key]; ok {
		return id, false, nil
	}
	letter := map[string]string{"CITY": "M", "DISTRICT": "D"}[r.Level]
	switch {
	case b.stateFIPS(r.State) == "":
		return "", false, fmt.Errorf("unknown state %s", r.State)
	case letter == "":
		return "", false, fmt.Errorf("unknown %s %s", strings.ToLower(r.Level), r.Name)
	case r.ZIP == "":
		return "", false, fmt.Errorf("unknown %s %s: give the ZIPs where it applies", strings.ToLower(r.Level), r.Name)
	}
	id = b.newID(r, letter)
	b.jurisdictions.add(map[string]string{"id": id, "country": "US", "state": r.State, "level": r.Level, "name": r.Name,
		"parent_id": "US-" + r.State,
		"admin":     "STATE", "notes": "from " + r.At.String()})
	b.byName[key] = id
	b.local[r.State] = true
	return id, true, nil
}

// nameKey is a name in the form in which spellings agree.
func nameKey(state, level, name string) string {
	name = strings.ToLower(name)
	if level == "COUNTY" {
		for _, word := range []string{" county", " parish", " borough"} {
			name = strings.TrimSuffix(name, word)
		}
	}
	return state + " " + level + " " + strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127 {
			return c
		}
		return -1
	}, name)
}

// official reports whether the rates of a jurisdiction come from a rate file.
func (b *book) official(id string) bool {
	return slices.ContainsFunc(b.rows[id+" *"], func(i int) bool {
		return strings.HasPrefix(b.rates.get(b.rates.rows[i], "source"), RateFileSource)
	})
}

func (b *book) placesByZIP(places *sheet) map[string][]int {
	at := map[string][]int{}
	for i, row := range places.rows {
		at[places.get(row, "zip5")] = append(at[places.get(row, "zip5")], i)
	}
	return at
}

// attach adds a jurisdiction to the places of a line. A city is not one of what lies outside of it in its ZIP, which has the
// name of the same post office. A line that is complete makes so what is inside of its city; without a city, what lies outside
// of cities.
func attach(places *sheet, rows []int, r CSVRate, id string) error {
	var found [][]string
	for _, i := range rows {
		row := places.rows[i]
		fits := func(column, level, want string) bool {
			return want == "" || nameKey("", level, places.get(row, column)) == nameKey("", level, want)
		}
		if places.get(row, "state") == r.State && fits("city", "CITY", r.City) && fits("county", "COUNTY", r.County) {
			found = append(found, row)
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("no place with ZIP %s, city %q and county %q in %s", r.ZIP, r.City, r.County, r.State)
	}
	inside := func(row []string) bool { return slices.Contains(insideBases, places.get(row, "basis")) }
	named := r.City != "" && slices.ContainsFunc(found, inside)
	completed := false
	for _, row := range found {
		ids := strings.Split(places.get(row, "jurisdiction_ids"), "|")
		if !slices.Contains(ids, id) && (r.Level != "CITY" || !named || inside(row)) {
			places.set(row, "jurisdiction_ids", strings.Join(append(ids, id), "|"))
		}
		if r.Complete && (r.City != "" || !inside(row)) && (!named || inside(row)) {
			places.set(row, "completeness", "COMPLETE")
			completed = true
		}
	}
	if r.Complete && !completed {
		return fmt.Errorf("complete: all of ZIP %s lies in cities: name one", r.ZIP)
	}
	return nil
}

// insideBases are the bases of rows inside of the city that they name.
var insideBases = []string{"CITY_ZIP_LIST", "POSTAL_CITY"}

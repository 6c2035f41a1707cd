package content

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/content/internal/pack/archive"
)

func TestEmbeddedFileIsMadeFromTheTables(t *testing.T) {
	t.Parallel()
	want, err := archive.Pack(os.DirFS("data"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, packed), "content.zip is stale: run go generate ./tax/content")
}

func TestAPackReturnsItsTables(t *testing.T) {
	t.Parallel()
	tables := few()
	pack, err := tables.Pack()
	require.NoError(t, err)
	again, err := few().Pack()
	require.NoError(t, err)
	require.True(t, bytes.Equal(pack, again), "equal tables give equal bytes")
	back, err := Unpack(pack)
	require.NoError(t, err)
	require.Equal(t, tables, back)
	version, err := PackedVersion(pack)
	require.NoError(t, err)
	require.Equal(t, "2026.11.1", version)
	d, err := Parse(pack)
	require.NoError(t, err)
	require.Equal(t, "2026.11.1", d.Version)

	for _, broken := range [][]byte{nil, []byte("PK"), []byte("no zip at all"), pack[:len(pack)/2]} {
		_, err := Unpack(broken)
		require.ErrorContains(t, err, "content pack")
		_, err = Parse(broken)
		require.ErrorContains(t, err, "content pack")
		_, err = PackedVersion(broken)
		require.ErrorContains(t, err, "content pack")
	}
}

// A pack of an earlier program lacks newer tables: the embedded ones are used.
func TestAPackOfAnEarlierProgramUsesEmbeddedTables(t *testing.T) {
	t.Parallel()
	tables := few()
	delete(tables, "import_limits.csv")
	delete(tables, "class_rules.csv")
	delete(tables, boundariesTable)
	delete(tables, tiersTable)
	delete(tables, publicationsTable)
	pack, err := tables.Pack()
	require.NoError(t, err)
	d, err := Parse(pack)
	require.NoError(t, err)
	require.Len(t, d.ImportLimits, 7, "of the Union, the United Kingdom, Norway, Switzerland, Australia, New Zealand and Singapore")
	require.NotEmpty(t, d.ClassRules)
	require.Len(t, d.Rates, 1, "what the pack has is its own")
	require.Empty(t, d.Boundaries, "no boundary file was imported")
	require.Empty(t, d.Tiers, "a sale of before is calculated as it was")
	back, err := Unpack(pack)
	require.NoError(t, err)
	require.Contains(t, string(back["import_limits.csv"]), "EU,150,EUR")
	require.Empty(t, d.Publications, "nor does its table of rates end with the newest ones")
	require.Empty(t, d.BorderTaxes)
	for own := range ownTables {
		require.NotContains(t, back, own)
	}
	require.ErrorIs(t, back.ConfirmUntil("TX", 20270331), ErrNoPublication)
	delete(tables, versionFile)
	pack, err = tables.Pack()
	require.NoError(t, err)
	_, err = Parse(pack)
	require.Error(t, err, "a pack without a name")
}

// Layouts of returns of an earlier program say nothing of how their lines are computed: the embedded ones take their place.
func TestLayoutsOfAnEarlierProgramAreEmbeddedOnes(t *testing.T) {
	t.Parallel()
	tables := few()
	tables["return_layouts.csv"] = []byte("layout,country,state,form,name,edition,from,to,amends,discount,source,confidence\n" +
		"US-MN-ST1/2020,US,MN,ST1,Return,2020,2020-01-01,,REPLACES,,law,HIGH\n")
	tables[linesTable] = []byte("layout,line,name,unit,rule,source,confidence\nUS-MN-ST1/2020,1,Sales,DOLLAR,All,law,MED\n")
	pack, err := tables.Pack()
	require.NoError(t, err)
	d, err := Parse(pack)
	require.NoError(t, err)
	require.Equal(t, "GENERAL/1", d.Layouts[0].ID)
	require.NotEmpty(t, d.LayoutLines[0].Formula)
	require.Len(t, d.Rates, 1)
}

// Processes of a release continue while the content of a later one is in force: they ignore tables that they do not
// know.
func TestUnknownTablesOfALaterPackAreIgnored(t *testing.T) {
	t.Parallel()
	tables := few()
	tables["later.csv"] = []byte("state\nMN\n")
	wider := strings.NewReplacer("notes\n", "notes,later\n", "HIGH,\n", "HIGH,,1\n")
	tables["us_nexus_thresholds.csv"] = []byte(wider.Replace(string(tables["us_nexus_thresholds.csv"])))
	pack, err := tables.Pack()
	require.NoError(t, err)
	d, err := Parse(pack)
	require.NoError(t, err)
	require.Len(t, d.Nexus, 1)
	require.Equal(t, "HIGH", d.Nexus[0].Confidence)
}

func TestTheNameFollowsFromTheText(t *testing.T) {
	t.Parallel()
	name := few().Name()
	require.Regexp(t, `^2026\.11\.1\+[0-9a-f]{8}$`, name)
	require.Equal(t, name, few().Name())
	twice := few()
	twice.Name()
	require.Equal(t, name, twice.Name(), "the name itself is not part of it")
	require.Equal(t, name+"\n", string(twice[versionFile]))
	names := map[string]bool{name: true}
	for _, file := range slices.Sorted(maps.Keys(few())) {
		if file == versionFile {
			continue
		}
		changed := few()
		changed[file] = append(changed[file], '\n')
		names[changed.Name()] = true
		renamed := few()
		renamed["x"+file] = renamed[file]
		delete(renamed, file)
		names[renamed.Name()] = true
	}
	require.Len(t, names, 1+2*(len(few())-1), "every change gives another name")
}

func TestBoundaryFilesOfStates(t *testing.T) {
	t.Parallel()
	tables := few()
	delete(tables, boundariesTable)
	for _, load := range []struct {
		state string
		load  int64
		file  string
	}{{"WI", 7, "WIB2026Q1.csv"}, {"MN", 8, "MNB2026Q1.csv"}, {"WI", 9, "WIB2026Q2.csv"}} {
		require.NoError(t, tables.SetBoundaries(load.state, load.load, load.file, "sum"))
	}
	require.Equal(t, "state,load,file,sha256\nMN,8,MNB2026Q1.csv,sum\nWI,9,WIB2026Q2.csv,sum\n",
		string(tables[boundariesTable]), "the last one of each state")
	fips, ok := tables.StateFIPS("MN")
	require.True(t, ok)
	require.Equal(t, "27", fips)
	for _, state := range []string{"WI", "", "US"} {
		_, ok = tables.StateFIPS(state)
		require.False(t, ok, state)
	}
	_, ok = Tables{}.StateFIPS("MN")
	require.False(t, ok)
	tables[boundariesTable] = []byte(`"`)
	require.ErrorContains(t, tables.SetBoundaries("MN", 1, "f", "s"), boundariesTable)
}

func TestCodesOfJurisdictionsInOfficialFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ system, code, kind, want string }{
		{"FIPS-STATE", "27", "45", "27"},
		{"FIPS-COUNTY", "27053", "00", "053"},
		{"FIPS-COUNTY", "053", "", ""},
		{"FIPS-PLACE", "2743000", "01", "43000"},
		{"FIPS-PLACE", "43000", "", ""},
		{"SST-PLACE", "43000", "01", "43000"},
		{"SST-DISTRICT", "80004", AnyDistrict, "80004"},
		{"SST-63", "80004", "63", "80004"},
		{"SST-6", "80004", "", ""},
		{"SST-XX", "80004", "", ""},
		{"ISO3166-1", "AT", "", ""},
		{"", "", "", ""},
	} {
		kind, code := JurisdictionRow{CodeSystem: test.system, Code: test.code}.Boundary()
		require.Equal(t, test.kind+" "+test.want, kind+" "+code, test.system)
	}
	for code := range strings.FieldsSeq("01 02 03 04 05 09") {
		require.True(t, PlaceType(code), code)
	}
	for code := range strings.FieldsSeq("00 06 07 08 10 45 63 1 *") {
		require.False(t, PlaceType(code), code)
	}
}

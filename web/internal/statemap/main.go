// Command statemap turns the outlines of the states of the installed npm package us-atlas into paths of SVG, with
// its licence. make vendor-map runs it.
package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// topology is a file of TopoJSON: arcs as differences of whole numbers, and shapes made of arcs.
type topology struct {
	Transform struct {
		Scale, Translate [2]float64
	}
	Arcs    [][][2]float64
	Objects struct {
		States struct {
			Geometries []struct {
				ID         string
				Type       string
				Arcs       json.RawMessage
				Properties struct{ Name string }
			}
		}
	}
}

// codes are the postal codes of the states by their FIPS codes, ANSI INCITS 38.
var codes = map[string]string{
	"01": "AL", "02": "AK", "04": "AZ", "05": "AR", "06": "CA", "08": "CO", "09": "CT", "10": "DE", "11": "DC",
	"12": "FL", "13": "GA",
	"15": "HI", "16": "ID", "17": "IL", "18": "IN", "19": "IA", "20": "KS", "21": "KY", "22": "LA", "23": "ME",
	"24": "MD", "25": "MA",
	"26": "MI", "27": "MN", "28": "MS", "29": "MO", "30": "MT", "31": "NE", "32": "NV", "33": "NH", "34": "NJ",
	"35": "NM", "36": "NY",
	"37": "NC", "38": "ND", "39": "OH", "40": "OK", "41": "OR", "42": "PA", "44": "RI", "45": "SC", "46": "SD",
	"47": "TN", "48": "TX",
	"49": "UT", "50": "VT", "51": "VA", "53": "WA", "54": "WV", "55": "WI", "56": "WY",
}

// Arguments: the folder in which npm installed the package, and where the table and the licence go.
func main() {
	if err := write(filepath.Join(os.Args[1], "node_modules/us-atlas"), os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func write(from, to string) error {
	raw, err := os.ReadFile(filepath.Join(from, "states-albers-10m.json"))
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(from, "LICENSE"))
	if err != nil {
		return err
	}
	var t topology
	if err := json.Unmarshal(raw, &t); err != nil {
		return err
	}
	rows := [][]string{}
	for _, g := range t.Objects.States.Geometries {
		code, known := codes[g.ID]
		if !known {
			return fmt.Errorf("%s, %s: no code", g.ID, g.Properties.Name)
		}
		path, x, y, err := t.path(g.Type, g.Arcs)
		if err != nil {
			return fmt.Errorf("%s: %w", g.Properties.Name, err)
		}
		rows = append(rows, []string{code, g.Properties.Name, fmt.Sprint(x), fmt.Sprint(y), path})
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	var table strings.Builder
	w := csv.NewWriter(&table)
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "states.csv"), []byte(table.String()), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "states.LICENSE"), licence, 0o600)
}

// path is the outline of a shape, and where its name stands: in the middle of its largest ring, or 0 where that
// is too small for a name.
func (t *topology) path(kind string, raw json.RawMessage) (path string, x, y int, err error) {
	var polygons [][][]int
	switch kind {
	case "Polygon":
		var one [][]int
		err = json.Unmarshal(raw, &one)
		polygons = [][][]int{one}
	case "MultiPolygon":
		err = json.Unmarshal(raw, &polygons)
	default:
		err = fmt.Errorf("a %s", kind)
	}
	if err != nil {
		return "", 0, 0, err
	}
	var b strings.Builder
	most := 0.0
	for _, polygon := range polygons {
		for _, ring := range polygon {
			points := t.ring(ring)
			area, cx, cy := centre(points)
			if area < 2 && len(polygons) > 1 {
				continue // an island of a pixel
			}
			draw(&b, points)
			if area > most {
				most = area
				x, y = 0, 0
				if area > 700 {
					x, y = int(math.Round(cx)), int(math.Round(cy))
				}
			}
		}
	}
	return b.String(), x, y, nil
}

// ring are the points of a ring; an arc ~n is n backwards.
func (t *topology) ring(arcs []int) (points [][2]float64) {
	for _, n := range arcs {
		arc := t.arc(max(n, ^n))
		if n < 0 {
			slices.Reverse(arc)
		}
		if len(points) > 0 {
			arc = arc[1:] // it begins where the one before ends
		}
		points = append(points, arc...)
	}
	return points
}

func (t *topology) arc(n int) [][2]float64 {
	var x, y float64
	points := make([][2]float64, len(t.Arcs[n]))
	for i, d := range t.Arcs[n] {
		x, y = x+d[0], y+d[1]
		points[i] = [2]float64{
			math.Round(x*t.Transform.Scale[0] + t.Transform.Translate[0]), // whole pixels of a map 975 wide
			math.Round(y*t.Transform.Scale[1] + t.Transform.Translate[1]),
		}
	}
	return points
}

// draw writes a ring with relative lines.
func draw(b *strings.Builder, points [][2]float64) {
	last := points[0]
	fmt.Fprintf(b, "M%g %g", last[0], last[1])
	for _, p := range points[1:] {
		if p == last {
			continue
		}
		fmt.Fprintf(b, "l%g %g", p[0]-last[0], p[1]-last[1])
		last = p
	}
	b.WriteString("z")
}

// centre is the area of a ring and its centre of mass.
func centre(points [][2]float64) (area, x, y float64) {
	for i, p := range points {
		q := points[(i+1)%len(points)]
		cross := p[0]*q[1] - q[0]*p[1]
		area += cross / 2
		x += (p[0] + q[0]) * cross
		y += (p[1] + q[1]) * cross
	}
	if area == 0 {
		return 0, points[0][0], points[0][1]
	}
	return math.Abs(area), x / (6 * area), y / (6 * area)
}

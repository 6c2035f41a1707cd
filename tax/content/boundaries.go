package content

import (
	"strconv"
	"strings"

	"levy/tax"
)

// boundariesTable names the boundary files that an operator imported, by state.
const boundariesTable = "boundaries.csv"

func addBoundary(d *tax.Data, r *row) {
	load, err := strconv.ParseInt(r.text("load"), 10, 64)
	if err != nil {
		r.fault("load", err)
	}
	d.Boundaries = append(d.Boundaries, tax.BoundaryRow{At: r.at(), State: strings.Clone(r.text("state")), Load: load})
}

package web

import (
	_ "embed"
	"strconv"
)

//go:embed data/states.csv
var statesTable string

// stateShape is the outline of a state on a map 975 wide and 610 high, by Albers' projection, from us-atlas, which
// is under the ISC licence. X and Y are where its code stands; 0 where there is no room.
type stateShape struct {
	Code, Name, Path string
	X, Y             int
}

var stateShapes = func() []stateShape {
	rows := rowsOf(statesTable)
	shapes := make([]stateShape, len(rows))
	for i, row := range rows {
		x, errX := strconv.Atoi(row[2])
		y, errY := strconv.Atoi(row[3])
		if errX != nil || errY != nil {
			panic(row[0])
		}
		shapes[i] = stateShape{Code: row[0], Name: row[1], X: x, Y: y, Path: row[4]}
	}
	return shapes
}()

// shownState is a state on the map.
type shownState struct {
	stateShape
	Level, Text string
}

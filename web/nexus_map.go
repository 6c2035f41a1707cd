package web

import (
	_ "embed"
	"slices"
	"strconv"

	"levy/contract"
)

//go:embed data/states.csv
var statesTable string

// stateShape is the outline of a state on a map of 975 by 610, by Albers' projection, from us-atlas (ISC licence). X
// and Y are the position of its code; 0 if the state is too small for it.
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

// shownState is a state on the map with its colour and its text.
type shownState struct {
	stateShape
	Level, Text string
}

// mapOf returns the map of the states, coloured by records of nexus.
func mapOf(records []nexusRecord) []shownState {
	byCode := map[string]nexusRecord{}
	for _, n := range records {
		if n.CountryCode == "US" {
			byCode[n.StateCode] = n
		}
	}
	shown := make([]shownState, len(stateShapes))
	for i, shape := range stateShapes {
		shown[i] = shownState{stateShape: shape, Level: "unknown", Text: shape.Name + ": no sales tax, or not covered"}
		if n, known := byCode[shape.Code]; known {
			shown[i].Level, shown[i].Text = n.Level(), shape.Name+": "+sentence(string(n.Status))
			if share := n.Share(); share >= 0 {
				shown[i].Text += ", " + strconv.Itoa(share) + " % of the threshold"
			}
		}
	}
	return shown
}

// mapOfMoney returns the map of the states, each coloured by its share of the largest tax that is owed in one of them. Its
// currency is that of the first of them. It returns nil if no place is a state.
func mapOfMoney(places []contract.PlaceFigure) []shownState {
	first := slices.IndexFunc(places, func(p contract.PlaceFigure) bool { return p.CountryCode == "US" })
	if first < 0 {
		return nil
	}
	owed, most := map[string]contract.PlaceFigure{}, 0.0
	for _, p := range places[first:] {
		if p.CountryCode == "US" && p.Currency == places[first].Currency {
			owed[p.StateCode], most = p, max(most, amountOf(p.Amount))
		}
	}
	shown := make([]shownState, len(stateShapes))
	for i, shape := range stateShapes {
		shown[i] = shownState{stateShape: shape, Level: "none", Text: shape.Name + ": nothing is owed without a registration"}
		if p, known := owed[shape.Code]; known && amountOf(p.Amount) > 0 {
			thirds := min(3, 1+int(3*amountOf(p.Amount)/most))
			shown[i].Level = "owed" + strconv.Itoa(thirds)
			shown[i].Text = shape.Name + ": " + grouped(p.Amount) + " " + p.Currency
		}
	}
	return shown
}

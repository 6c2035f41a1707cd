// Command statedoc writes the page about the state machines from their tables.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"levy/models"
)

func main() {
	if err := os.WriteFile(os.Args[1], page(), 0o644); err != nil {
		log.Fatal(err)
	}
}

func page() []byte {
	var b bytes.Buffer
	b.WriteString(`# State machines

Written by ` + "`make generate`" + ` from the tables in package models: change those, not this page.
The database refuses transitions of transactions, exemptions, onboardings, imports, nexus records,
registrations and filings that are not listed. ` + "`GET /v1/meta/state-machines`" + ` publishes the
same tables.
`)
	for _, m := range models.StateMachines() {
		fmt.Fprintf(
			&b, "\n## %s\n\nField `%s` of %s %s.\n\n```mermaid\nstateDiagram-v2\n", m.Name, m.Field,
			article(m.Object), m.Object,
		)
		drawn := map[[2]string]bool{}
		for _, transition := range m.Transitions {
			from := transition.From
			if from == "" {
				from = "[*]"
			}
			if arrow := [2]string{from, transition.To}; !drawn[arrow] {
				drawn[arrow] = true
				fmt.Fprintf(&b, "  %s --> %s\n", from, transition.To)
			}
		}
		b.WriteString("```\n\n| from | to | by | when |\n|---|---|---|---|\n")
		for _, transition := range m.Transitions {
			from := transition.From
			if from == "" {
				from = "–"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", from, transition.To, transition.By, transition.Guard)
		}
	}
	return b.Bytes()
}

func article(noun string) string {
	if strings.ContainsRune("aeiouAEIOU", rune(noun[0])) {
		return "an"
	}
	return "a"
}

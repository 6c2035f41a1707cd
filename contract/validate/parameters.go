package validate

import (
	"slices"
	"strconv"
	"strings"
)

// parameter is a query parameter of an operation.
type parameter struct {
	name       string
	member     []byte
	schema     *schema // of one value
	list       bool
	repeatable bool
	required   bool
	def        []byte
	sameAs     int  // index of the parameter of which this is another name; otherwise its own
	givesWay   bool // the other one counts if both are present
	group      int  // 1 or 2 if it is in one of two groups that exclude each other; 0: none
}

// parameters are the query parameters of an operation.
type parameters struct {
	list          []parameter
	byName        map[string]int
	groups        [2][]int // parameters that exclude each other; the first group is the usual one
	ordered       [][2]int // pairs of from and to
	exclusions    [][2]int // pairs of which the second is refused together with the first
	acceptsOthers bool     // unknown parameters are accepted and ignored
}

func (c *compiler) parameters(at string, op *Operation, shared []*Parameter) (*parameters, error) {
	p := &parameters{byName: map[string]int{}, acceptsOthers: op.Security != nil && len(*op.Security) == 0}
	var aliases []string
	for _, spec := range slices.Concat(shared, op.Parameters) {
		if spec.In != "query" {
			continue
		}
		s, err := c.schema(at+" "+spec.Name, spec.Schema)
		if err != nil {
			return nil, err
		}
		one := parameter{
			name: spec.Name, required: spec.Required, member: []byte(strconv.Quote(spec.Name) + ":"), schema: s,
			def: s.def, sameAs: len(p.list), givesWay: spec.GivesWay,
		}
		if s.kind == kindArray {
			one.list, one.schema = true, s.items
			one.repeatable = spec.Explode
		}
		aliases = append(aliases, spec.SameAs)
		p.byName[spec.Name] = len(p.list)
		p.list = append(p.list, one)
	}
	// A write without parameters ignores its query.
	p.acceptsOthers = p.acceptsOthers || len(p.list) == 0 && !strings.HasPrefix(at, "GET ")
	for i, alias := range aliases {
		if alias != "" {
			p.list[i].sameAs = p.byName[alias]
		}
	}
	for g, names := range op.Exclusive {
		for _, name := range names {
			p.groups[g] = append(p.groups[g], p.byName[name])
			p.list[p.byName[name]].group = g + 1
		}
	}
	for _, spec := range slices.Concat(shared, op.Parameters) {
		for _, name := range spec.Excludes {
			if other, here := p.byName[name]; here {
				p.exclusions = append(p.exclusions, [2]int{p.byName[spec.Name], other})
			}
		}
	}
	for _, names := range op.Ordered {
		p.ordered = append(p.ordered, [2]int{p.byName[names[0]], p.byName[names[1]]})
	}
	return p, nil
}

func (p *parameters) names() []string {
	names := make([]string, len(p.list))
	for i := range p.list {
		names[i] = p.list[i].name
	}
	return names
}

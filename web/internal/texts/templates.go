package main

import (
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// inline are the elements within a sentence. All others end a text.
var inline = []string{"a", "abbr", "b", "bdi", "code", "em", "i", "small", "span", "strong", "time", "title"}

// kindOf is what the text of an element is; "text" for all others.
var kindOf = map[string]string{
	"h1": "heading", "h2": "heading", "h3": "heading", "title": "heading", "legend": "heading", "caption": "heading",
	"button": "button", "summary": "button", "label": "label", "dt": "label", "th": "label", "option": "option",
}

// readAttributes are the attributes that people read or hear, or that a script puts into a text.
var readAttributes = regexp.MustCompile(`(?s)\b(aria-label|title|placeholder|alt|label|data-label|data-figure)="([^"]*)"`)

// walker reads the texts of one template.
type walker struct {
	file    string
	catalog catalogue

	inTag, skipped bool
	tag, text      strings.Builder
	depth          int    // of conditions within the text
	element        string // the innermost element that is not inline
	links          int    // the depth of <a>
	linked         bool   // the text has a link
	outside        bool   // it has letters outside of links
}

// readTemplates adds the texts of a file of templates.
func readTemplates(path string, c catalogue) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	trees := map[string]*parse.Tree{}
	tree := parse.New(path)
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(string(source), "", "", trees); err != nil {
		return err
	}
	for _, t := range trees {
		w := &walker{file: path, catalog: c}
		w.list(t.Root)
		w.flush()
	}
	return nil
}

// inSentences are the templates that stand within a sentence.
var inSentences = []string{"pill", "total", "run", "entry"}

func (w *walker) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.TextNode:
			w.html(string(node.Text))
		case *parse.ActionNode:
			w.pipe(node.Pipe)
		case *parse.TemplateNode:
			w.template(node)
		default:
			if branches := branchesOf(node); branches != nil {
				w.branches(branches.List, branches.ElseList)
			}
		}
	}
}

// branchesOf returns the branches of a condition or a repetition; nil for any other node.
func branchesOf(node parse.Node) *parse.BranchNode {
	switch node := node.(type) {
	case *parse.IfNode:
		return &node.BranchNode
	case *parse.WithNode:
		return &node.BranchNode
	case *parse.RangeNode:
		return &node.BranchNode
	}
	return nil
}

// branches adds the texts of a condition or a repetition: parts of a sentence, or texts of their own.
func (w *walker) branches(list, other *parse.ListNode) {
	if !w.inTag && (hasBlock(list) || hasBlock(other)) {
		w.flush()
		before := w.element
		w.list(list)
		w.flush()
		after := w.element
		w.element = before
		w.list(other)
		w.flush()
		w.element = after
		return
	}
	if !w.inTag && len(list.Nodes) > 0 && strings.HasPrefix(strings.TrimSpace(list.Nodes[0].String()), "<a") {
		w.afterSentence()
	}
	started := w.inTag
	w.depth++
	w.write(begins)
	w.list(list)
	ended := w.inTag
	w.inTag = started
	w.write(orElse)
	w.list(other)
	w.write(ends)
	w.inTag = ended
	w.depth--
}

// afterSentence ends the text before a link if it ended a sentence: the link is a text of its own.
func (w *walker) afterSentence() {
	if w.depth == 0 && strings.HasSuffix(strings.TrimRight(w.text.String(), " \n"+begins+orElse+ends), ".") {
		w.flush()
	}
}

// write writes a mark into the text, or into the tag that is open.
func (w *walker) write(mark string) {
	if w.inTag {
		w.tag.WriteString(mark)
	} else {
		w.text.WriteString(mark)
	}
}

var tagName = regexp.MustCompile(`</?([a-zA-Z][a-zA-Z0-9]*)`)

// hasBlock reports whether a part of a template has an element that ends a text.
func hasBlock(list *parse.ListNode) bool {
	if list == nil {
		return false
	}
	return slices.ContainsFunc(list.Nodes, func(node parse.Node) bool {
		switch node := node.(type) {
		case *parse.TextNode:
			return slices.ContainsFunc(tagName.FindAllStringSubmatch(string(node.Text), -1), func(tag []string) bool {
				return !slices.Contains(inline, tag[1])
			}) || strings.Contains(string(node.Text), `<a class="button"`)
		case *parse.TemplateNode:
			return !slices.Contains(inSentences, node.Name)
		}
		branches := branchesOf(node)
		return branches != nil && (hasBlock(branches.List) || hasBlock(branches.ElseList))
	})
}

// html reads a piece of HTML, which may begin or end within a tag.
func (w *walker) html(piece string) {
	for piece != "" {
		if !w.inTag {
			text, rest, opens := strings.Cut(piece, "<")
			w.say(text)
			w.inTag, piece = opens, rest
			continue
		}
		text, rest, closes := strings.Cut(piece, ">")
		w.tag.WriteString(text)
		piece = rest
		if closes {
			w.inTag = false
			w.ended(w.tag.String())
			w.tag.Reset()
		}
	}
}

func (w *walker) say(text string) {
	if w.skipped {
		return
	}
	text = html.UnescapeString(text)
	w.text.WriteString(text)
	w.outside = w.outside || w.links == 0 && hasLetter(text)
}

// ended handles a complete tag, without its brackets.
func (w *walker) ended(tag string) {
	name := tagName.FindStringSubmatch("<" + tag)
	if name == nil {
		return
	}
	element, closes := name[1], strings.HasPrefix(tag, "/")
	for _, a := range readAttributes.FindAllStringSubmatch(tag, -1) {
		w.catalog.add(html.UnescapeString(a[2]), "label", w.file)
	}
	switch {
	case element == "script" || element == "style":
		w.skipped = !closes
	case element == "a" && strings.Contains(tag, `class="button"`):
		w.flush()
		w.element = "button"
	case element == "a" && closes && w.element == "button" && w.links == 0:
		w.flush()
		w.element = ""
	case element == "a":
		if closes {
			w.links--
			break
		}
		w.afterSentence()
		w.links, w.linked = w.links+1, true
	case !slices.Contains(inline, element):
		w.flush()
		w.element = ""
		if !closes {
			w.element = element
		}
	}
}

// flush adds the text so far, which an element ended.
func (w *walker) flush() {
	text := w.text.String()
	w.text.Reset()
	kind := "text"
	if known := kindOf[w.element]; known != "" {
		kind = known
	} else if w.linked && !w.outside {
		kind = "link"
	}
	w.linked, w.outside = false, false
	w.catalog.add(text, kind, w.file)
}

// pipe adds the texts of an action, and writes what it writes.
func (w *walker) pipe(pipe *parse.PipeNode) {
	text := w.valueOf(pipe)
	if len(pipe.Decl) == 0 && !w.skipped {
		w.write(text)
	}
}

// template adds the texts that are arguments of a template. Some templates stand within a sentence.
func (w *walker) template(node *parse.TemplateNode) {
	switch {
	case w.inTag:
		return
	case !slices.Contains(inSentences, node.Name):
		w.flush()
	default:
		w.write(value)
	}
	if node.Pipe != nil {
		if text := w.valueOf(node.Pipe); text != value {
			w.catalog.add(text, "word", w.file)
		}
	}
}

// valueOf returns what a pipeline writes: its text, or a value.
func (w *walker) valueOf(pipe *parse.PipeNode) string {
	if len(pipe.Cmds) != 1 {
		return value
	}
	args := pipe.Cmds[0].Args
	function := ""
	if id, ok := args[0].(*parse.IdentifierNode); ok {
		function = id.Ident
	}
	texts := make([]string, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case *parse.StringNode:
			texts[i] = arg.Text
		case *parse.PipeNode:
			texts[i] = w.valueOf(arg)
		default:
			texts[i] = value
		}
	}
	last := texts[len(texts)-1]
	switch function {
	case "":
		return texts[0]
	case "or":
		if last != value {
			return begins + value + orElse + last + ends
		}
	case "and":
		if last != value {
			w.catalog.add(last, "label", w.file)
		}
	case "columns", "number", "list":
		for _, text := range texts[1:] {
			w.catalog.add(text, "label", w.file)
		}
	case "shown":
		w.catalog.add(texts[2], "label", w.file)
	case "counted", "counted64":
		if last == value {
			return value
		}
		return value + " " + last + "s"
	case "printf":
		if format := texts[1]; looksLikeText(format) {
			return verbs.ReplaceAllString(format, value)
		}
	}
	return value
}

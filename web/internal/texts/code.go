package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// verbs are the places of values in a format.
var verbs = regexp.MustCompile(`%[+#]?[0-9.]*[a-zA-Z]`)

// notRead are functions whose arguments no person reads: addresses, names of fields, headers and messages of logs.
var notRead = []string{"Get", "Set", "Add", "Has", "Del", "PathValue", "FormValue", "PostFormValue", "log", "Log", "Error", "Warn", "Info",
	"panic", "MustCompile", "HasPrefix", "HasSuffix", "TrimPrefix", "TrimSuffix", "CutPrefix", "CutSuffix", "Cut", "Contains",
	"Errorf", "New", "Parse", "Format", "EqualFold", "HandleFunc", "NewReplacer", "Replace", "ReplaceAll", "ExecuteTemplate", "Fields"}

// notTexts are strings that look like texts: values of attributes, headers and settings.
var notTexts = []string{"light dark", "true", "false", "input, textarea, select", "REGULAR"}

// readFields are the fields of structs whose values people read, even one word in small letters.
var readFields = []string{
	"Label", "Hint", "Title", "Note", "Blank", "Button", "Detail", "Intro", "Outro", "Ask", "Subject", "label", "crumb",
}

// isRead reports whether people read the arguments of a function, although another package has one of that name.
func isRead(function ast.Expr) bool {
	f, ok := function.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"http.Error", "reasons.New"}, nameOf(f.X)+"."+f.Sel.Name)
}

// readCode adds the texts of a file of Go.
func readCode(path string, c catalogue) error {
	return readFile(path, func(file *ast.File) { addTexts(file, path, c) })
}

// readDetails adds the texts that the Temporal UI shows of a run: those of the functions that make its current details.
func readDetails(path string, c catalogue) error {
	return readFile(path, func(file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && (f.Name.Name == "details" || f.Name.Name == "nextCheck") {
				addTexts(f, path, c)
			}
		}
	})
}

func readFile(path string, add func(*ast.File)) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err == nil {
		add(file)
	}
	return err
}

// addTexts adds the texts below a node. A text within a value of another text is a text of its own.
func addTexts(root ast.Node, path string, c catalogue) {
	joined := map[ast.Expr]bool{}
	ast.PreorderStack(root, nil, func(n ast.Node, parents []ast.Node) bool {
		if skipped(n, parents) {
			return false
		}
		if e, ok := n.(ast.Expr); ok && !joined[e] {
			text, found := messageOf(e, joined)
			if found && (looksLikeText(text) || inReadField(parents) && hasLetter(text) && !slices.Contains(notTexts, text)) {
				c.add(text, "text", path)
			}
		}
		return true
	})
}

// skipped reports whether no person reads what is below the node.
func skipped(n ast.Node, parents []ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return true
	case *ast.CallExpr:
		return slices.Contains(notRead, nameOf(n.Fun)) && !isRead(n.Fun)
	}
	if len(parents) == 0 {
		return false
	}
	switch parent := parents[len(parents)-1].(type) {
	case *ast.Field:
		return n == ast.Node(parent.Tag)
	case *ast.KeyValueExpr:
		return n == ast.Node(parent.Key)
	case *ast.IndexExpr:
		return n == ast.Node(parent.Index)
	case *ast.CaseClause:
		return slices.ContainsFunc(parent.List, func(e ast.Expr) bool { return n == ast.Node(e) })
	case *ast.BinaryExpr:
		return parent.Op == token.EQL || parent.Op == token.NEQ
	}
	return false
}

// inReadField reports whether a node with these parents is the value of a field that people read.
func inReadField(parents []ast.Node) bool {
	if len(parents) == 0 {
		return false
	}
	pair, ok := parents[len(parents)-1].(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	switch key := pair.Key.(type) {
	case *ast.Ident:
		return slices.Contains(readFields, key.Name)
	case *ast.BasicLit: // a label of a code
		return codeKey.MatchString(key.Value)
	}
	return false
}

func nameOf(function ast.Expr) string {
	switch function := function.(type) {
	case *ast.Ident:
		return function.Name
	case *ast.SelectorExpr:
		return function.Sel.Name
	}
	return ""
}

// messageOf returns the text that an expression makes: a literal, several joined by +, or a format. It notes in joined the
// expressions that are parts of the text.
func messageOf(e ast.Expr, joined map[ast.Expr]bool) (text string, found bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		for _, side := range []ast.Expr{e.X, e.Y} {
			part, ok := messageOf(side, joined)
			if !ok {
				part = value
			}
			joined[side] = ok
			text, found = text+part, found || ok
		}
		return text, found
	case *ast.CallExpr:
		switch name := nameOf(e.Fun); {
		case name == "Sprintf":
			text, found = messageOf(e.Args[0], joined)
			joined[e.Args[0]] = found
			return verbs.ReplaceAllString(text, value), found
		case (name == "counted" || name == "count") && len(e.Args) == 2:
			text, found = messageOf(e.Args[1], joined)
			joined[e.Args[1]] = found
			return value + " " + text + "s", found
		}
	}
	return "", false
}

var (
	word       = regexp.MustCompile(`^[A-Z][a-z]+$`)
	twoWords   = regexp.MustCompile(`[\pL0-9'’,;:.)` + value + `] [\pL("` + value + `]`)
	codeKey    = regexp.MustCompile(`^"[A-Z][A-Z_]+"$`)
	codeOrPath = regexp.MustCompile(`^[?/<#&.]|://|=\\?"|^[A-Z0-9_, ]+$|-- |^\(prefers|charset=|max-age|^default-src|^image/|` +
		`^2 January 2006|\.csv$`)
)

// looksLikeText reports whether a string is a text for people: a capitalized word, or several words.
func looksLikeText(s string) bool {
	return hasLetter(s) && !slices.Contains(notTexts, s) && (word.MatchString(s) || twoWords.MatchString(s)) && !codeOrPath.MatchString(s)
}

// strings of scripts, and what they are told apart from.
var (
	scriptParts = regexp.MustCompile("//[^\n]*|/\\*(?s:.*?)\\*/|'((?:[^'\\\\\n]|\\\\.)*)'|" +
		"\"((?:[^\"\\\\\n]|\\\\.)*)\"|`((?:[^`\\\\]|\\\\.)*)`")
	inBraces = regexp.MustCompile(`\$\{[^{}]*\}`)
	selector = regexp.MustCompile(`[\[#>{]|^\.|:not|^[a-z]+ [a-z]+$|^[a-z]+\.[a-z]`)
)

// readScript adds the texts of a script.
func readScript(path string, c catalogue) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, part := range scriptParts.FindAllStringSubmatch(string(source), -1) {
		text := strings.Join(part[1:], "")
		text = inBraces.ReplaceAllString(text, value)
		if looksLikeText(text) && !selector.MatchString(text) {
			c.add(text, "text", path)
		}
	}
	return nil
}

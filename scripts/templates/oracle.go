// Renders templates with Go's text/template, as the original markdownlang does, for scripts/templates.sh.
//
// Reads cases as JSON lines with "template" and "input", and writes them with "text" or "error" added. The functions are the
// original's, except for the improvements that docs/render.md lists: each of them is written out here, so anything else that
// differs is a mistake in agentmd.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
)

// An integer of the input stays one: it prints exactly, and all verbs of integers and of floats accept it.
type integer int64

func (n integer) Format(state fmt.State, verb rune) {
	layout := "%"
	for _, flag := range "+-# 0" {
		if state.Flag(int(flag)) {
			layout += string(flag)
		}
	}
	if width, ok := state.Width(); ok {
		layout += strconv.Itoa(width)
	}
	precision, precise := state.Precision()
	if precise {
		layout += "." + strconv.Itoa(precision)
	}
	layout += string(verb)
	switch {
	case strings.ContainsRune("eEfFgG", verb), verb == 'v' && precise:
		fmt.Fprintf(state, layout, float64(n))
	case strings.ContainsRune("bcdoOqvxXU", verb):
		fmt.Fprintf(state, layout, int64(n))
	default:
		fmt.Fprintf(state, "%%!%c(float64=%d)", verb, int64(n))
	}
}

func decode(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil && v.String() != "-0" {
			return integer(n)
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = decode(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = decode(v[key])
		}
	}
	return value
}

// Every list as a list of any values.
func list(value any) ([]any, bool) {
	switch v := value.(type) {
	case []any:
		return v, true
	case []string:
		all := make([]any, len(v))
		for i := range v {
			all[i] = v[i]
		}
		return all, true
	}
	return nil, false
}

// A list and a separator in either order; what is missing or nil is an empty list.
func join(a, b any) (string, error) {
	_, first := a.(string)
	_, last := b.(string)
	_, isList := list(a)
	_, secondIsList := list(b)
	if secondIsList || first && !last && !isList {
		a, b = b, a
	}
	separator, ok := b.(string)
	if !ok {
		return "", fmt.Errorf("expected string; got %T", b)
	}
	values, ok := list(a)
	if !ok && a != nil {
		return "", fmt.Errorf("expected list; got %T", a)
	}
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = fmt.Sprint(value)
	}
	return strings.Join(words, separator), nil
}

func whole(value any) (int64, bool) {
	switch v := value.(type) {
	case integer:
		return int64(v), true
	case int:
		return int64(v), true
	case uint8:
		return int64(v), true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1e18
	}
	return 0, false
}

func number(value any) bool {
	switch value.(type) {
	case integer, int, uint8, float64:
		return true
	}
	return false
}

// The bounds before or after the list or string, and either may be left out.
func slice(arguments ...any) (any, error) {
	if len(arguments) == 0 || len(arguments) > 4 {
		return nil, errors.New("wrong number of args")
	}
	container, bounds := arguments[0], arguments[1:]
	if number(container) && len(bounds) > 0 {
		container, bounds = arguments[len(arguments)-1], arguments[:len(arguments)-1]
	}
	length := 0
	runes := []rune(nil)
	switch v := container.(type) {
	case string:
		runes = []rune(v)
		length = len(runes)
		if len(bounds) == 3 {
			return nil, errors.New("cannot 3-index slice a string")
		}
	case []string:
		length = len(v)
	case []any:
		length = len(v)
	default:
		return nil, fmt.Errorf("can't slice %T", container)
	}
	places := [3]int{0, length, length}
	for i, bound := range bounds {
		at, ok := whole(bound)
		if !ok || at < 0 || at > int64(length) {
			return nil, fmt.Errorf("index out of range: %v", bound)
		}
		places[i] = int(at)
	}
	if places[0] > places[1] || places[1] > places[2] {
		return nil, errors.New("invalid slice index")
	}
	switch v := container.(type) {
	case []string:
		return v[places[0]:places[1]], nil
	case []any:
		return v[places[0]:places[1]], nil
	}
	return string(runes[places[0]:places[1]]), nil
}

func length(value any) (int, error) {
	switch v := value.(type) {
	case string:
		return len([]rune(v)), nil
	case []string:
		return len(v), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	}
	return 0, fmt.Errorf("len: unsupported type %T", value)
}

func cased(change func(string) string) func(any) (string, error) {
	return func(value any) (string, error) {
		if text, ok := value.(string); ok {
			return change(text), nil
		}
		if number(value) {
			return change(fmt.Sprint(value)), nil
		}
		return "", fmt.Errorf("expected string; got %T", value)
	}
}

func fallback(other, value any) any {
	switch v := value.(type) {
	case nil:
		return other
	case string:
		if v == "" {
			return other
		}
	case []string:
		if len(v) == 0 {
			return other
		}
	case []any:
		if len(v) == 0 {
			return other
		}
	case int, integer, float64:
		if compare(v, 0) == 0 {
			return other
		}
	}
	return value
}

// Numbers compare by value.
func compare(a, b any) int {
	exact := func(value any) *big.Float {
		if n, ok := whole(value); ok {
			return new(big.Float).SetInt64(n)
		}
		return big.NewFloat(value.(float64))
	}
	return exact(a).Cmp(exact(b))
}

func equal(a any, others ...any) (bool, error) {
	if len(others) == 0 {
		return false, errors.New("missing argument for comparison")
	}
	for _, b := range others {
		same, err := same(a, b)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

func comparable(value any) bool {
	return value == nil || reflect.TypeOf(value).Comparable()
}

func same(a, b any) (bool, error) {
	switch {
	case number(a) && number(b):
		return compare(a, b) == 0, nil
	case !comparable(a) && b != nil, !comparable(b) && a != nil:
		return false, errors.New("uncomparable type")
	case a == nil || b == nil:
		return a == nil && b == nil, nil
	case number(a) || number(b) || reflect.TypeOf(a) != reflect.TypeOf(b):
		return false, errors.New("incompatible types for comparison")
	}
	return a == b, nil
}

func ordered(accept func(int) bool) func(any, any) (bool, error) {
	return func(a, b any) (bool, error) {
		if number(a) && number(b) {
			return accept(compare(a, b)), nil
		}
		first, ok := a.(string)
		second, both := b.(string)
		if !ok || !both {
			return false, errors.New("incompatible types for comparison")
		}
		return accept(strings.Compare(first, second)), nil
	}
}

var functions = template.FuncMap{
	"iterable": iterable, "upper": cased(strings.ToUpper), "lower": cased(strings.ToLower), "title": cased(strings.Title),
	"default": fallback, "len": length, "slice": slice, "join": join, "split": strings.Split,
	"eq": equal,
	"ne": func(a, b any) (bool, error) { result, err := same(a, b); return !result && err == nil, err },
	"lt": ordered(func(order int) bool { return order < 0 }), "le": ordered(func(order int) bool { return order <= 0 }),
	"gt": ordered(func(order int) bool { return order > 0 }), "ge": ordered(func(order int) bool { return order >= 0 }),
}

// In the original, the numbers of the input are no integers, and `range` refuses them in every version of Go.
func iterable(value any) (any, error) {
	if _, ok := value.(integer); ok {
		return nil, errors.New("range can't iterate over a number of the input")
	}
	return value, nil
}

func guard(node parse.Node) {
	branch := func(list, other *parse.ListNode) {
		guard(list)
		guard(other)
	}
	switch node := node.(type) {
	case *parse.ListNode:
		if node == nil {
			return
		}
		for _, inner := range node.Nodes {
			guard(inner)
		}
	case *parse.IfNode:
		branch(node.List, node.ElseList)
	case *parse.WithNode:
		branch(node.List, node.ElseList)
	case *parse.RangeNode:
		call := &parse.CommandNode{NodeType: parse.NodeCommand, Pos: node.Pos, Args: []parse.Node{parse.NewIdentifier("iterable")}}
		node.Pipe.Cmds = append(node.Pipe.Cmds, call)
		branch(node.List, node.ElseList)
	}
}

func render(text string, input any) (out string, err error) {
	parsed, err := template.New("").Funcs(functions).Parse(text)
	if err != nil {
		return "", err
	}
	for _, each := range parsed.Templates() {
		guard(each.Root)
	}
	var builder strings.Builder
	err = parsed.Execute(&builder, input)
	// Our type of an integer is not the template's business.
	return strings.ReplaceAll(builder.String(), "main.integer", "float64"), err
}

// Since Go 1.22, `range` counts up to a number that the template computes.
var counts = regexp.MustCompile(`range can't iterate over -?\d+$`)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	writer := json.NewEncoder(out)
	writer.SetEscapeHTML(false)
	for in.Scan() {
		var test struct {
			Template string          `json:"template"`
			Input    json.RawMessage `json:"input"`
			Text     *string         `json:"text,omitempty"`
			Error    string          `json:"error,omitempty"`
		}
		if err := json.Unmarshal(in.Bytes(), &test); err != nil {
			panic(err)
		}
		decoder := json.NewDecoder(strings.NewReader(string(test.Input)))
		decoder.UseNumber()
		var input any
		if err := decoder.Decode(&input); err != nil {
			panic(err)
		}
		text, err := render(test.Template, decode(input))
		if err == nil {
			test.Text = &text
		} else if counts.MatchString(err.Error()) {
			continue
		} else {
			test.Error = err.Error()
		}
		if err := writer.Encode(test); err != nil {
			panic(err)
		}
	}
}

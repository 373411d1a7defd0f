"""Random templates with inputs, as JSON lines: generate.py SEED COUNT [SHARE OF TEMPLATES WITH MISTAKES]."""

import json
import random
import sys

STRINGS = ["", "a", "abc", "Hello World", "x,y,,z", "héllo 🦆", "ǆ ß İ", "<b>&\"'", "{{ .s }}", "a\nb\r\n c", "12", "it's", "日本"]
INTEGERS = [0, 1, 2, 3, 7, -1, -5, 10, 255, 1000000, 20999999, 9007199254740993, 2**53]
FLOATS = [0.5, 1.5, -2.25, 3.0, 1e21, 1e-7, 0.1, 123456.789, 1000000.5]
NAMES = ["s", "t", "n", "m", "f", "b", "l", "k", "w", "o", "p", "z", "none"]


class Source:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.depth = 0
        self.variables = []
        self.in_range = False
        self.templates = []

    def pick(self, *items):
        return self.r.choice(items)

    def chance(self, share):
        return self.r.random() < share

    # The input

    def scalar(self):
        return self.pick(self.r.choice(STRINGS), self.r.choice(INTEGERS), self.r.choice(FLOATS), True, False, None)

    def value(self, depth=0):
        kind = self.r.random()
        if depth > 2 or kind < 0.6:
            return self.scalar()
        if kind < 0.8:
            return [self.value(depth + 1) for _ in range(self.r.randrange(4))]
        return {name: self.value(depth + 1) for name in self.r.sample(NAMES[:-1] + ["a b", "x-y"], self.r.randrange(4))}

    def input(self):
        r = self.r
        whole = {
            "s": r.choice(STRINGS), "t": r.choice(STRINGS), "n": r.choice(INTEGERS), "m": r.choice(INTEGERS[:7]),
            "f": r.choice(FLOATS), "b": r.random() < 0.5, "l": [r.choice(STRINGS) for _ in range(r.randrange(4))],
            "k": [r.choice(INTEGERS) for _ in range(r.randrange(4))], "w": [self.value(1) for _ in range(r.randrange(4))],
            "o": {"a": r.choice(STRINGS), "b": self.value(1), "s": r.choice(STRINGS), "l": ["q"]}, "p": self.value(), "z": None,
        }
        return {key: value for key, value in whole.items() if r.random() < 0.93}

    # Words

    def string(self):
        text = self.pick(", ", "", "-", "a", "s", "b", "é", "x,y", "%d", "%v|%s", "%5.2f", "%q", "%-6v|", "%x", "%c", "%[2]v", "%*d", "%!", "%U", "%+d", "%05d", "%t", "%e", "%g", "%o", "%08.3f", "%#v", "%6.1v")
        if self.chance(0.15):
            return "`" + text + "`"
        return json.dumps(text, ensure_ascii=False)

    def literal(self):
        return self.pick(
            self.string(), self.string(), str(self.r.choice(INTEGERS[:9])), "1.5", "2.0", "1e3", "0x1F", "0b101", "1_000", "'a'", "'\\n'",
            "true", "false", "nil", "2i", "-3", "+4", "0o17", "017", "1.", ".5", "0x1p-2", '"a\\tb\\u00e9"', '"\\x41"',
        )

    def path(self):
        name = self.r.choice(NAMES)
        if self.chance(0.25):
            name = self.pick("o.a", "o.b", "o.l", "o.none", "p.s", "none.a", "s.x", "o.b.s", "z.a", "l.x")
        if self.chance(0.15):
            return "$." + name
        return "." + name

    def variable(self):
        return self.r.choice(self.variables) if self.variables and not self.chance(0.02) else self.pick("$", ".", "$x" if self.chance(0.1) else "$")

    def word(self):
        self.depth += 1
        kind = self.r.random()
        try:
            if kind < 0.42:
                return self.path()
            if kind < 0.56:
                return self.literal()
            if kind < 0.66:
                return self.variable()
            if kind < 0.71:
                return "."
            if self.depth < 4:
                group = "(" + self.pipeline(declare=False) + ")"
                return group + (self.pick(".a", ".s", ".none") if self.chance(0.1) else "")
            return self.path()
        finally:
            self.depth -= 1

    def index(self):
        return self.pick("0", "1", "2", "3", ".m", "(len .l)", "-1", "1.0", ".n")

    def call(self, piped):
        """A function with arguments; one fewer if another is piped."""
        r, w = self.r, self.word
        name = r.choice("upper lower title default len slice join split and or not eq ne lt le gt ge print printf println html js urlquery index call".split())
        texts = lambda: self.pick(".s", ".t", self.string(), ".o.a", w())
        lists = lambda: self.pick(".l", ".k", ".w", '(split .s ",")', w())
        if name in ("upper", "lower", "title"):
            arguments = [texts()]
        elif name == "default":
            arguments = [self.literal(), w()]
        elif name == "len":
            arguments = [self.pick(texts(), lists(), ".o", w())]
        elif name == "slice":
            arguments = [self.pick(texts(), lists())] + [self.index() for _ in range(r.choice([0, 1, 1, 2, 2, 2, 3]))]
        elif name == "join":
            arguments = [lists(), self.pick(self.string(), self.string(), w())]
            if self.chance(0.3):
                arguments.reverse()
        elif name == "split":
            arguments = [texts(), self.string()]
        elif name == "index":
            arguments = [self.pick(lists(), ".o", ".p", "."), self.pick("0", "1", ".m", '"s"', '"a"', w())]
            if self.chance(0.15):
                arguments.append(self.pick("0", '"s"', w()))
        elif name in ("eq", "ne", "lt", "le", "gt", "ge"):
            arguments = [w(), w()]
            if self.chance(0.5):
                first = self.pick(".s", ".n", ".f", ".m")
                arguments = [first, self.pick(self.string(), ".t") if first == ".s" else self.pick("1", "2", "1.5", ".n", ".f", "(len .l)")]
            if name == "eq" and self.chance(0.2):
                arguments.append(w())
        elif name == "printf":
            arguments = [self.string()] + [w() for _ in range(r.randrange(3))]
        elif name == "not":
            arguments = [w()]
        else:
            arguments = [w() for _ in range(r.choice([1, 2, 2, 3]))]
        if self.chance(0.03):
            arguments.append(w())
        if self.chance(0.03) and arguments:
            arguments.pop()
        if piped and arguments and not self.chance(0.05):
            arguments.pop(r.choice([0, -1]))
        return " ".join([name] + arguments)

    def pipeline(self, declare=True):
        self.depth += 1
        parts = [self.call(False) if self.chance(0.55) else self.word()]
        while self.chance(0.25) and len(parts) < 4:
            parts.append(self.call(True))
        self.depth -= 1
        text = self.pick(" | ", " | ", "|", " |\n").join(parts)
        if declare and self.chance(0.1):
            name = self.pick("$a", "$b", "$v")
            if self.chance(0.3) and self.variables:
                return f"{self.r.choice(self.variables)} = {text}"
            self.variables.append(name)
            return f"{name}{self.pick(' := ', ':=')}{text}"
        return text

    # Nodes

    def action(self, inside):
        left = "{{- " if self.chance(0.12) else self.pick("{{", "{{ ", "{{ ", "{{\n", "{{  \t")
        right = " -}}" if self.chance(0.12) else self.pick("}}", " }}", " }}", "\n}}")
        return left + inside + right

    def text(self):
        return self.pick("", " ", "text", "\n", "  \n\t", "é🦆", "} }", "a { b", "- item\n", "}}", "\r\n", "---")

    def nodes(self, depth):
        return "".join(self.node(depth) + self.text() for _ in range(self.r.choice([1, 1, 2, 3])))

    def scoped(self, depth, declared=()):
        mark = len(self.variables)
        self.variables += declared
        body = self.nodes(depth + 1)
        del self.variables[mark:]
        return body

    def node(self, depth):
        kind = self.r.random()
        if depth > 3 or kind < 0.5:
            return self.action(self.pipeline())
        if kind < 0.55:
            return self.pick("{{/* a comment */}}", "{{- /* }} */ -}}", "{{/**/}}")
        mark = len(self.variables)
        if kind < 0.72:
            out = self.action("if " + self.pipeline()) + self.scoped(depth)
            while self.chance(0.2):
                out += self.action(self.pick("else if ", "else\nif ", "else  if ") + self.pipeline()) + self.scoped(depth)
            out += self.other(depth)
        elif kind < 0.82:
            out = self.action("with " + self.pipeline()) + self.scoped(depth) + self.other(depth)
        elif kind < 0.95:
            declared = self.pick((), (), ("$v",), ("$i", "$v"), ("$i", "$v"))
            head = (self.pick(", ", ",", " , ").join(declared) + self.pick(" := ", ":=")) if declared else ""
            over = self.pick(".l", ".k", ".w", ".o", ".p", '(split .s ",")', "(slice .l 0 1)", ".z", self.pipeline(declare=False))
            was, self.in_range = self.in_range, True
            out = self.action("range " + head + over) + self.scoped(depth, declared)
            if self.chance(0.15):
                out += self.action("if " + self.word()) + self.action(self.pick("break", "continue")) + self.action("end") + self.text()
            self.in_range = was
            if self.chance(0.25):
                out += self.action("else") + self.scoped(depth)
                if self.chance(0.2):
                    out += self.action(self.pick("break", "continue"))
        elif kind < 0.975 and depth == 0:
            name = self.pick("x", "y")
            variables, self.variables = self.variables, []
            body = self.nodes(depth + 2)
            self.variables = variables
            if self.chance(0.4):
                return self.action(f'block "{name}{self.r.randrange(9)}" {self.word()}') + body + self.action("end")
            out = self.action(f'define "{name}"') + body + self.action("end")
            return out + self.action(f'template "{name}"' + self.pick("", " .", " " + self.word()))
        elif kind < 0.985:
            return self.action(self.pick("break", "continue", 'template "x" .', "end", "else"))
        else:
            return self.action(self.pick("", "if", "range", "nope .s", ".x-y", "$", "$q", ". .s", "1 2", ".s | 3", "with $c := .s"))
        del self.variables[mark:]
        return out + self.action("end")

    def other(self, depth):
        return self.action("else") + self.scoped(depth) if self.chance(0.3) else ""

    def damaged(self, text):
        """A few characters removed, doubled or replaced."""
        for _ in range(self.r.choice([1, 1, 2])):
            at = self.r.randrange(len(text) + 1)
            text = self.pick(
                text[:at] + text[at + 1:], text[:at] + text[at:at + 2] + text[at:], text[:at] + self.pick(*"{}()|.$\"'`:=-, \n@x1") + text[at:],
                text[:at] + text[at + self.r.randrange(6):],
            )
        return text


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    damaged = float(sys.argv[3]) if len(sys.argv) > 3 else 0.12
    for number in range(count):
        source = Source(seed * 1_000_003 + number)
        template = source.nodes(0)
        if source.chance(damaged):
            template = source.damaged(template)
        print(json.dumps({"template": template, "input": source.input()}, ensure_ascii=False))


main()

"""Greetings."""


def greet(name):
    return f"Good morning, {name}!"


def farewell(person):
    return "Bye, " + person


if __name__ == "__main__":
    print(greet("Ada"))

def farewell(name):
    print("Bye " + name)


farewell("world")

"""Clients that read responses badly, each on a connection of its own, until this process is stopped.

readers.py HOST PORT CONNECTIONS MODE FILE
MODE is `nothing`, `slowly` (one byte a second) or `fast` (as fast as they can). FILE has requests, one JSON string in each line.
Prints `ready` when every connection has sent a request. A connection that the server closes is opened again.
"""
import itertools, json, selectors, socket, sys, time

host, port, connections, mode, file = sys.argv[1:]
with open(file) as lines:
    requests = itertools.cycle([json.loads(line).encode() for line in lines])
# Another request on the same connection, until the kernel has no more room for its responses.
REPEAT_S = 0.25
REPEATS_MAX = 16
now = time.monotonic


class Client:
    def __init__(self):
        self.request = next(requests)
        self.open()

    def open(self):
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setblocking(False)
        self.repeats = 0
        self.send()
        if mode == 'fast':
            selector.register(self.socket, selectors.EVENT_READ, self)

    def reopen(self):
        if mode == 'fast':
            selector.unregister(self.socket)
        self.socket.close()
        self.open()

    def send(self):
        self.repeats += 1
        self.due = now() + REPEAT_S
        try:
            self.socket.send(self.request)
        except OSError:
            pass

    def read(self, size):
        try:
            if not self.socket.recv(size):
                self.reopen()
        except BlockingIOError:
            pass
        except OSError:
            self.reopen()


selector = selectors.DefaultSelector()
clients = [Client() for _ in range(int(connections))]
print('ready', flush=True)
last = now()
while True:
    if mode == 'fast':
        for key, _ in selector.select(0.1):
            key.data.read(1 << 20)
        for client in clients:
            if now() > client.due:
                client.send()
        continue
    time.sleep(0.05)
    for client in clients:
        if client.repeats < REPEATS_MAX and now() > client.due:
            client.send()
    if mode == 'slowly' and now() - last >= 1:
        last = now()
        for client in clients:
            client.read(1)

"""A Holdfast lock with Python's standard library. To try it: python3 holdfast_lock.py NAME SECONDS"""
import json, os, signal, socket, sys, threading, time, urllib.error, urllib.request, uuid

SERVER = os.environ.get("HOLDFAST_SERVER", "http://127.0.0.1:8080")
TOKEN = os.environ.get("HOLDFAST_TOKEN")  # if the server wants one
LEASE = float(os.environ.get("HOLDFAST_LEASE_SECONDS", "30"))

class LockLost(Exception): pass

class Lock:
    def __init__(self, name, namespace="default", reason=""):
        self.key = {"namespace": namespace, "name": name}
        self.about = {"owner": f"python@{socket.gethostname()}", "reason": reason}
        self.done = threading.Event()

    def __enter__(self):
        self.lease_id = uuid.uuid4().hex  # the same in every retry, and known to nobody else
        wait_ms = 500  # soon says who is ahead of us; then waits longer
        try:
            while not self.ask(wait_ms):
                wait_ms = 20_000
        except BaseException:
            self.tell("release", 5)  # leaves the queue
            raise
        threading.Thread(target=self.keep, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.done.set()
        if time.monotonic() < self.deadline:  # else it is lost
            self.tell("release", 5)  # if that fails, the lease ends by itself

    def remaining(self):
        """For how many seconds the lock is certainly ours. Ask often, and use it as the timeout of what you call."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise LockLost()  # it may be somebody else's soon: stop working
        return left

    def ask(self, wait_ms):
        wish = {**self.key, **self.about, "lease_id": self.lease_id, "lease_ms": int(LEASE * 1000), "wait_ms": wait_ms}
        status, answer, headers, sent = call("acquire", wish, timeout=30)
        if status == 200:
            self.token = answer["fencing_token"]
            self.held(answer, sent + int(headers["Lease-Waited-Ms"]) / 1000)
        elif status == 202:  # whoever asks again within 15 seconds keeps the place
            print(f"waiting, place {answer['position']}, behind", *(h["owner"] for h in answer["holders"]), flush=True)
        elif status == 409 and answer["code"] == "lease-lost":  # it was granted, but the answer was lost on the way
            self.lease_id = uuid.uuid4().hex
        elif status in (429, 503):  # busy, or out of reach: asking again with the same id does no harm
            print("trying again:", answer["detail"], file=sys.stderr)
            time.sleep(1)
        else:
            raise RuntimeError(answer["detail"])
        return status == 200

    def held(self, answer, since):  # the last sixth of the lease is for stopping: when it ends, nothing may run
        self.deadline = since + answer["lease_ms"] / 1000 * 5 / 6

    def keep(self):  # in the background; whatever becomes of it, remaining() goes by the deadline
        while not self.done.is_set():
            result, sent = self.tell("renew", LEASE / 6)
            if result["outcome"] == "renewed":
                self.held(result, sent)
            elif result["outcome"] == "lost":  # expired, or ended by an operator
                self.deadline = 0
                return
            self.done.wait(LEASE / 3 if result["outcome"] == "renewed" else LEASE / 20)

    def tell(self, what, timeout):
        status, answer, _, sent = call(what, {"leases": [{**self.key, "lease_id": self.lease_id}]}, timeout)
        return (answer["results"][0] if status == 200 else {"outcome": "unknown"}), sent

def call(what, body, timeout):
    request = urllib.request.Request(f"{SERVER}/v2/locks/{what}", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if TOKEN:
        request.add_header("Authorization", "Bearer " + TOKEN)
    sent = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=timeout) as reply:
            return reply.status, json.load(reply), reply.headers, sent
    except urllib.error.HTTPError as e:
        return e.code, json.load(e), e.headers, sent
    except (OSError, ValueError) as e:
        return 503, {"detail": str(e)}, {}, sent

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # an exception, so that the lock is released
    try:
        with Lock(sys.argv[1], reason="trying Python") as lock:
            print("granted, fencing token", lock.token, flush=True)
            end = time.monotonic() + float(sys.argv[2])
            while time.monotonic() < end:
                time.sleep(min(0.1, lock.remaining()))  # a step of your work; all it writes takes lock.token along
        print("released")
    except LockLost:
        print("lost, stopped working")
        sys.exit(76)

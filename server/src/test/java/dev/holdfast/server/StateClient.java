package dev.holdfast.server;

import dev.holdfast.server.TestServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Speaks the protocol of terraform's HTTP backend about one stack.
 *
 * @param client who calls
 * @param path {@code /state/{stack}/{environment}}
 */
record StateClient(Client client, String path) {
    static StateClient of(TestServer server, String stack) {
        return new StateClient(Client.of(server), "/state/" + stack + "/prod");
    }

    /** What terraform sends, byte for byte in its order. */
    static String info(String id) {
        return "{\"ID\":\"" + id + "\",\"Operation\":\"OperationTypeApply\",\"Info\":\"\",\"Who\":\"ci@" + id
                + "\",\"Version\":\"1.11.4\",\"Created\":\"2026-11-16T11:05:12.123456Z\",\"Path\":\"\"}";
    }

    static String state(int serial) {
        return "{\"version\":4,\"terraform_version\":\"1.11.4\",\"serial\":" + serial
                + ",\"lineage\":\"5c9a2f1e-0000-4000-8000-000000000001\",\"outputs\":{},\"resources\":[]}\n";
    }

    Answer lock(String id) {
        return send("LOCK", "", info(id));
    }

    Answer unlock(String id) {
        return send("UNLOCK", "", info(id));
    }

    Answer forceUnlock() {
        return send("UNLOCK", "", "");
    }

    Answer save(String id, String state) {
        return send("POST", "?ID=" + id, state);
    }

    Answer load() {
        return send("GET", "", "");
    }

    List<Json> history() {
        return send("GET", "/history", "").json().get("items").list();
    }

    /** What was noted about the lock of this stack, oldest first: the types of the events. */
    List<Json> events(String type) {
        String[] parts = path.split("/", -1);
        return client.get("/v2/history?namespace=deploy&name=stack:" + parts[2] + ":env:" + parts[3] + "&event=" + type)
                .json()
                .get("items")
                .list();
    }

    Json look() {
        String[] parts = path.split("/", -1);
        return client.get("/v2/lock?namespace=deploy&name=stack:" + parts[2] + ":env:" + parts[3])
                .json();
    }

    Answer send(String method, String more, String body) {
        return client.send(request(method, more, body.getBytes(StandardCharsets.UTF_8)));
    }

    HttpRequest.Builder request(String method, String more, byte[] body) {
        return client.request(path + more)
                .header("Content-Type", "application/json")
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    }
}

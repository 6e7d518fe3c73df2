package dev.holdfast.server.docs;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Calls as commands that can be copied, with the examples of the document. */
record Curl(Node document) {
    /** For whoever has just started a server. */
    static final String FIRST = """
            H=http://127.0.0.1:8080
            J='Content-Type: application/json'
            curl -H "$J" $H/v2/locks/acquire -d '{"namespace":"demo","name":"job","lease_ms":30000}'
            curl "$H/v2/locks?namespace=demo\"""";

    /** Only what must be given, and what names a thing: the rest is in the table of parameters. */
    String command(String method, String path, Node call) {
        Node body = call.get("requestBody", "content", "application/json", "examples");
        StringBuilder line = new StringBuilder("curl");
        boolean plain = method.equals("GET") || (method.equals("POST") && body.isThere());
        line.append(plain ? "" : " -X " + method);
        line.append(call.get("responses", "200", "content", "text/event-stream").isThere() ? " -N" : "");
        line.append(body.isThere() ? " -H \"$J\"" : "");
        String target = "$H" + target(path, call);
        line.append(' ').append(target.contains("&") || target.contains("?") ? '"' + target + '"' : target);
        for (Map.Entry<String, Node> example : body.fields().entrySet()) {
            String json = example.getValue().get("value").compact();
            return line + " -d '" + json.replace("'", "'\\''") + "'";
        }
        return line.toString();
    }

    private String target(String path, Node call) {
        String filled = path;
        StringBuilder query = new StringBuilder();
        for (Node reference : call.get("parameters").items()) {
            Node parameter = reference.in(document);
            String name = parameter.get("name").text();
            String value = parameter.get("example").text();
            if (parameter.get("in").text().equals("path")) {
                filled = filled.replace("{" + name + "}", value);
            } else if (parameter.get("required").text().equals("true") || (name.equals("ID") && !value.isEmpty())) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        return filled + query;
    }
}

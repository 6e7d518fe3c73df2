package dev.holdfast.server.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The document as one page for people, without scripts. */
final class DocsPage {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    /** Methods OpenAPI 3.1 does not know, by name. */
    private static final String OTHER_METHODS = "x-additionalOperations";

    private final Node document;
    private final String style;
    private final Html out = new Html();

    DocsPage(Node document, String style) {
        this.document = document;
        this.style = style;
    }

    String html() {
        Node info = document.get("info");
        out.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
                .text(info.get("title").text() + " " + info.get("version").text())
                .raw("</title><style>")
                .raw(style)
                .raw("</style></head>\n<body><header><h1>")
                .text(info.get("title").text())
                .raw(" <small>")
                .text(info.get("version").text())
                .raw("</small></h1><p class=\"lead\">")
                .text(info.get("summary").text())
                .raw("</p>")
                .words(info.get("description").text());
        out.raw("<p>From a shell, on the machine of the server:</p><pre>")
                .text(Curl.FIRST)
                .raw("</pre>")
                .raw(
                        "<p>If the server requires authentication, add <code>-H &quot;Authorization: Bearer $TOKEN&quot;</code> to each call.</p>")
                .raw("<p>The same for programs: <a href=\"openapi.json\">openapi.json</a></p></header>\n");
        contents();
        out.raw("<main>");
        for (Node tag : document.get("tags").items()) {
            section(tag);
        }
        credentials();
        schemas();
        out.raw("</main></body></html>\n");
        return out.toString();
    }

    /** One call. */
    private record Operation(String method, String path, Node node) {
        String id() {
            return node.get("operationId").text();
        }
    }

    private List<Operation> operations(String tag) {
        List<Operation> found = new ArrayList<>();
        document.get("paths")
                .fields()
                .forEach((path, item) -> item.fields().forEach((method, node) -> {
                    if (METHODS.contains(method)) {
                        add(found, tag, new Operation(method.toUpperCase(Locale.ROOT), path, node));
                    } else if (method.equals(OTHER_METHODS)) {
                        node.fields().forEach((other, call) -> add(found, tag, new Operation(other, path, call)));
                    }
                }));
        return found;
    }

    private static void add(List<Operation> found, String tag, Operation operation) {
        if (operation.node().get("tags").items().stream()
                .anyMatch(it -> it.text().equals(tag))) {
            found.add(operation);
        }
    }

    // ---- the parts of the page

    private void contents() {
        out.raw("<nav>");
        for (Node tag : document.get("tags").items()) {
            out.raw("<h2>").text(tag.get("name").text()).raw("</h2><ul>");
            for (Operation operation : operations(tag.get("name").text())) {
                out.raw("<li><a href=\"#").text(operation.id()).raw("\">");
                call(operation);
                out.raw("</a></li>");
            }
            out.raw("</ul>");
        }
        out.raw("</nav>\n");
    }

    private void call(Operation operation) {
        out.raw("<b class=\"")
                .text(operation.method().toLowerCase(Locale.ROOT))
                .raw("\">")
                .text(operation.method())
                .raw("</b> <code>")
                .text(operation.path())
                .raw("</code>");
    }

    private void section(Node tag) {
        out.raw("<section><h2>").text(tag.get("name").text()).raw("</h2>");
        out.words(tag.get("description").text());
        operations(tag.get("name").text()).forEach(this::operation);
        out.raw("</section>\n");
    }

    private void operation(Operation operation) {
        Node node = operation.node();
        out.raw("<article id=\"").text(operation.id()).raw("\"><h3>");
        call(operation);
        out.raw(" <span>").text(node.get("summary").text()).raw("</span></h3>");
        out.words(node.get("description").text());
        out.raw("<pre class=\"curl\">")
                .text(new Curl(document).command(operation.method(), operation.path(), node))
                .raw("</pre>");
        parameters(node.get("parameters").items());
        Node body = node.get("requestBody", "content", "application/json");
        if (body.isThere()) {
            out.raw("<h4>Body</h4>");
            fields(body.get("schema").in(document));
            examples(body.get("examples"));
        }
        out.raw("<h4>Answers</h4>");
        node.get("responses").fields().forEach(this::answer);
        out.raw("</article>");
    }

    private void parameters(List<Node> parameters) {
        if (parameters.isEmpty()) {
            return;
        }
        out.raw("<h4>Parameters</h4><div class=\"wide\"><table>");
        for (Node reference : parameters) {
            Node parameter = reference.in(document);
            boolean needed = parameter.get("required").text().equals("true");
            row(
                    parameter.get("name").text(),
                    needed,
                    parameter.get("schema"),
                    parameter.get("description").text());
        }
        out.raw("</table></div>");
    }

    private void answer(String status, Node reference) {
        Node response = reference.in(document);
        boolean good = status.startsWith("2");
        out.raw("<details")
                .raw(good ? " open" : "")
                .raw("><summary><b class=\"s")
                .text(status.substring(0, 1));
        out.raw("\">")
                .text(status)
                .raw("</b> ")
                .inline(response.get("description").text())
                .raw("</summary>");
        response.get("content").fields().forEach((type, content) -> {
            out.raw("<p class=\"type\"><code>").text(type).raw("</code> ");
            link(content.get("schema"));
            response.get("headers")
                    .fields()
                    .keySet()
                    .forEach(name -> out.raw(" · <code>").text(name).raw("</code>"));
            out.raw("</p>");
            examples(content.get("examples"));
        });
        out.raw("</details>");
    }

    private void examples(Node examples) {
        boolean first = true;
        for (Map.Entry<String, Node> named : examples.fields().entrySet()) {
            Node example = named.getValue();
            Node summary = example.get("summary");
            if (summary.isThere()) {
                out.raw("<details").raw(first ? " open" : "").raw("><summary>");
                out.text(summary.text()).raw("</summary>");
            }
            out.raw("<pre>").text(example.get("value").shown()).raw("</pre>");
            out.raw(summary.isThere() ? "</details>" : "");
            first = false;
        }
    }

    private void credentials() {
        out.raw("<section><h2>Credentials</h2><dl>");
        document.get("components", "securitySchemes").fields().forEach((name, scheme) -> {
            Node header = scheme.get("scheme");
            out.raw("<dt><code>")
                    .text(header.isThere() ? "Authorization: " + header.text() + " …" : name)
                    .raw("</code></dt><dd>");
            out.inline(scheme.get("description").text()).raw("</dd>");
        });
        out.raw("</dl></section>\n");
    }

    private void schemas() {
        out.raw("<section><h2>Objects</h2>");
        document.get("components", "schemas").fields().forEach((name, schema) -> {
            out.raw("<article id=\"schema-")
                    .text(name)
                    .raw("\"><h3>")
                    .text(name)
                    .raw("</h3>");
            out.words(schema.get("description").text());
            fields(schema);
            out.raw("</article>");
        });
        out.raw("</section>");
    }

    // ---- schemas

    private void fields(Node schema) {
        List<String> required =
                schema.get("required").items().stream().map(Node::text).toList();
        out.raw("<div class=\"wide\"><table>");
        for (Map.Entry<String, Node> field : schema.get("properties").fields().entrySet()) {
            Node value = field.getValue();
            row(
                    field.getKey(),
                    required.contains(field.getKey()),
                    value,
                    value.get("description").text());
            Node inner = value.get("items", "properties");
            if (inner.isThere()) {
                out.raw("<tr><td colspan=\"3\">");
                fields(value.get("items"));
                out.raw("</td></tr>");
            }
        }
        out.raw("</table></div>");
    }

    private void row(String name, boolean required, Node schema, String description) {
        out.raw("<tr><td><code>").text(name).raw("</code>").raw(required ? "" : " <i>optional</i>");
        out.raw("</td><td>");
        link(schema);
        out.raw("</td><td>").inline(description);
        String bounds = Bounds.of(schema);
        if (!bounds.isEmpty()) {
            out.raw(" <small>").text(bounds).raw("</small>");
        }
        out.raw("</td></tr>");
    }

    /** The type, which leads to the object if it is one. */
    private void link(Node schema) {
        boolean list = schema.get("items").isThere();
        String name = list ? schema.get("items").referred() : schema.referred();
        if (name.isEmpty()) {
            out.text(Bounds.type(schema));
        } else {
            out.raw(list ? "list of " : "")
                    .raw("<a href=\"#schema-")
                    .text(name)
                    .raw("\">")
                    .text(name)
                    .raw("</a>");
        }
    }
}

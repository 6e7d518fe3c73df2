package dev.holdfast.state.document;

import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;

/** How terraform names the resources of its state. */
final class Addresses {
    private Addresses() {}

    /** {@code module.net.aws_subnet.a}, {@code data.aws_ami.b}. */
    static String of(Json resource) {
        if (!(resource instanceof Json.Obj object)) {
            return "/resources";
        }
        String module = text(object, "module");
        String mode = text(object, "mode").equals("data") ? "data." : "";
        return (module.isEmpty() ? "" : module + ".") + mode + text(object, "type") + "." + text(object, "name");
    }

    /** {@code [0]}, {@code ["eu"]}; empty for a single instance. */
    static String index(Json instance) {
        if (!(instance instanceof Json.Obj object)) {
            return "";
        }
        String deposed = text(object, "deposed");
        return object.get("index_key")
                        .filter(it -> !it.equals(Json.nil()))
                        .map(it -> "[" + new String(it.bytes(), StandardCharsets.UTF_8) + "]")
                        .orElse("")
                + (deposed.isEmpty() ? "" : " (deposed " + deposed + ")");
    }

    private static String text(Json.Obj object, String name) {
        return object.text(name).orElse("");
    }
}

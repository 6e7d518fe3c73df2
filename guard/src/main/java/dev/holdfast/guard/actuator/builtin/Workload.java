package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActTarget;
import java.util.Locale;
import java.util.Map;

/** What is scaled, with its kind as the API spells it. */
record Workload(String namespace, String plural, String name) {
    private static final String DNS_NAME = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?";

    /** From the target's settings, and from the actuator's where those are silent. */
    static Workload of(ActTarget target, Map<String, String> standard) throws ActFailure {
        String namespace = setting("namespace", target, standard);
        String kind = setting("kind", target, standard).toLowerCase(Locale.ROOT);
        String name = setting("name", target, standard);
        return new Workload(namespace, plural(kind), name);
    }

    static boolean validName(String text) {
        return text.matches(DNS_NAME);
    }

    static boolean validKind(String text) {
        String kind = text.toLowerCase(Locale.ROOT);
        return kind.equals("deployment") || kind.equals("statefulset");
    }

    String path() {
        return "/apis/apps/v1/namespaces/" + namespace + "/" + plural + "/" + name;
    }

    /** As people write it. */
    String shown() {
        return plural.substring(0, plural.length() - 1) + " '" + name + "' in namespace '" + namespace + "'";
    }

    private static String plural(String kind) {
        return kind.endsWith("s") ? kind : kind + "s";
    }

    private static String setting(String key, ActTarget target, Map<String, String> standard) throws ActFailure {
        String text = target.settings().getOrDefault(key, standard.getOrDefault(key, ""));
        // These become part of a path: nothing but a plain name may.
        if (key.equals("kind") ? !validKind(text) : !validName(text)) {
            throw new ActFailure("the resource '" + target.dbIdentifier() + "' needs the setting '" + key + "'"
                    + (key.equals("kind") ? ", Deployment or StatefulSet" : ", a Kubernetes name")
                    + (text.isEmpty() ? "" : ", not '" + text + "'"));
        }
        return text;
    }
}

package dev.holdfast.server.config;

import dev.holdfast.server.auth.Grants;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Roles by place: {@code {"*": [read], billing: [lock, admin], deploy/shop/*: [state]}}. */
final class RolesKind implements Kind<Map<String, Set<String>>> {
    /** What a principal may be allowed to do. */
    static final List<String> ROLES = List.of("read", "state-read", "lock", "state", "guard", "admin");

    private static final String EACH = "one of " + String.join(", ", ROLES);

    @Override
    public Map<String, Set<String>> read(Value value) throws Refusal {
        Details details = new Details();
        Map<String, Set<String>> roles = read(Trees.unfolded(value), "", details);
        details.refuse();
        return roles;
    }

    /** The roles in a part of a larger value; what is wrong goes to {@code details}. */
    static Map<String, Set<String>> read(Value value, String path, Details details) {
        Map<String, Set<String>> roles = new LinkedHashMap<>();
        if (!(value instanceof Value.Fields fields)) {
            details.add(
                    path,
                    "must be a map of places (\"*\", a namespace, namespace/name, namespace/begin*) to roles",
                    value.described());
            return roles;
        }
        fields.fields().forEach((namespace, granted) -> {
            String here = path + "." + namespace;
            if (!Grants.PLACE.matcher(namespace).matches()) {
                details.add(
                        path,
                        "has a place that is neither * nor a namespace (1 to 64 of A-Z a-z 0-9 _ . -) nor namespace/name, nor namespace/begin*",
                        Refusal.quoted(namespace));
            }
            roles.put(namespace, roles(granted, here, details));
        });
        return roles;
    }

    private static Set<String> roles(Value granted, String path, Details details) {
        Set<String> roles = new LinkedHashSet<>();
        if (!(granted instanceof Value.Items items)) {
            details.add(path, "must be a list of roles, such as [read, lock]", granted.described());
            return roles;
        }
        for (Value item : items.items()) {
            if (item instanceof Value.Text text && ROLES.contains(text.text())) {
                roles.add(text.text());
            } else {
                details.add(path, "must have roles that are each " + EACH, item.described());
            }
        }
        return Set.copyOf(roles);
    }

    @Override
    public String allowed() {
        return "a map of places (`*`, `namespace`, `namespace/name`, `namespace/begin*`) to lists of "
                + String.join(", ", ROLES);
    }

    @Override
    public String shown(Value value) {
        try {
            return Trees.unfolded(value).written();
        } catch (Refusal e) {
            return value.written(); // never: it was read before
        }
    }
}

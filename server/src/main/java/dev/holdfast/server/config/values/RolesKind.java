package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Roles by place: {@code {"*": [read], billing: [lock, admin], deploy/shop/*: [state]}}. */
public final class RolesKind implements ValueKind<Grants> {
    private static final String ROLES = Role.spellings();

    @Override
    public Grants read(Value value) throws ValueRefusal {
        RefusalDetails details = new RefusalDetails();
        Map<String, List<String>> roles = read(YamlText.unfolded(value), "", details);
        details.refuse();
        try {
            return Grants.spelled(roles);
        } catch (IllegalArgumentException e) {
            throw ValueRefusal.mustBe(allowed() + ": " + e.getMessage());
        }
    }

    /** The roles in a part of a larger value; what is wrong goes to {@code details}. */
    static Map<String, List<String>> read(Value value, String path, RefusalDetails details) {
        Map<String, List<String>> roles = new LinkedHashMap<>();
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
                        ValueRefusal.quoted(namespace));
            }
            roles.put(namespace, roles(granted, here, details));
        });
        return roles;
    }

    private static List<String> roles(Value granted, String path, RefusalDetails details) {
        List<String> roles = new ArrayList<>();
        if (!(granted instanceof Value.Items items)) {
            details.add(path, "must be a list of roles, such as [read, lock]", granted.described());
            return roles;
        }
        for (Value item : items.items()) {
            if (item instanceof Value.Text text && Role.spelled(text.text()).isPresent()) {
                roles.add(text.text());
            } else {
                details.add(path, "must have roles that are each one of " + ROLES, item.described());
            }
        }
        return roles;
    }

    @Override
    public String allowed() {
        return "a map of places (`*`, `namespace`, `namespace/name`, `namespace/begin*`) to lists of " + ROLES;
    }

    @Override
    public String shown(Value value, Grants read) {
        return YamlText.shown(value);
    }
}

package dev.holdfast.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All calls of the server. Finds the one that is meant, without going through all of them. */
public final class Routes {
    private final List<Route> all;
    private final Map<String, Node> exact = new HashMap<>();
    private final Map<Integer, List<Node>> bySegments = new HashMap<>();

    public Routes(List<Route> all) {
        this.all = List.copyOf(all);
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (Route route : all) {
            nodes.computeIfAbsent(route.path(), Node::new).add(route);
        }
        nodes.forEach((path, node) -> {
            if (node.isExact()) {
                exact.put(path, node);
            } else {
                bySegments
                        .computeIfAbsent(node.segments.length, n -> new ArrayList<>())
                        .add(node);
            }
        });
    }

    public List<Route> all() {
        return all;
    }

    /**
     * What a path leads to.
     *
     * @param names what stood where the path has braces, decoded
     */
    public record RouteMatch(Map<HttpMethod, Route> methods, Map<String, String> names) {
        /** The route of this method; a HEAD is answered like a GET. */
        public @Nullable Route of(HttpMethod method) {
            Route route = methods.get(method);
            return route == null && method.equals(HttpMethod.HEAD) ? methods.get(HttpMethod.GET) : route;
        }

        public String allow() {
            TreeSet<String> names = new TreeSet<>();
            methods.keySet().forEach(method -> names.add(method.name()));
            if (methods.containsKey(HttpMethod.GET)) {
                names.add("HEAD");
            }
            return String.join(", ", names);
        }

        public ErrorStyle style() {
            return methods.values().iterator().next().style();
        }
    }

    public Optional<RouteMatch> find(String path) {
        Node node = exact.get(path);
        if (node != null) {
            return Optional.of(node.found);
        }
        String[] segments = path.split("/", -1);
        for (Node candidate : bySegments.getOrDefault(segments.length, List.of())) {
            Optional<RouteMatch> found = candidate.match(segments);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static final class Node {
        private final String[] segments;
        private final RouteMatch found = new RouteMatch(new LinkedHashMap<>(2), Map.of());

        Node(String path) {
            segments = path.split("/", -1);
        }

        void add(Route route) {
            if (found.methods.put(route.method(), route) != null) {
                throw new IllegalArgumentException("two routes for " + route.method() + " " + route.path());
            }
        }

        boolean isExact() {
            return Stream.of(segments).noneMatch(Node::isName);
        }

        private static boolean isName(String segment) {
            return segment.startsWith("{");
        }

        Optional<RouteMatch> match(String[] sent) {
            Map<String, String> names = new HashMap<>(4);
            for (int i = 0; i < segments.length; i++) {
                if (isName(segments[i])) {
                    String name = segments[i].substring(1, segments[i].length() - 1);
                    names.put(name, Percent.decode(sent[i], "the path"));
                } else if (!segments[i].equals(sent[i])) {
                    return Optional.empty();
                }
            }
            return Optional.of(new RouteMatch(found.methods, names));
        }
    }
}

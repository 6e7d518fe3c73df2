package dev.holdfast.server.demo;

import dev.holdfast.state.versions.Stack;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The infrastructure of one stack as terraform would write it down. */
record DemoStack(Stack stack, int serial, String image, String databaseClass, int nodes, boolean cache) {
    /** What terraform says of what must not be shown. */
    private static final String PASSWORD = "[[{\"type\": \"get_attr\", \"value\": \"password\"}]]";

    /** One address block for each environment. */
    private String network() {
        return stack.environment().equals("prod") ? "10.20" : "10.30";
    }

    private String lineage() {
        return UUID.nameUUIDFromBytes(stack.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** A new one now and then, as it should be. */
    private String password() {
        return "made-up-" + id(100 + (serial + 1) / 2);
    }

    private String service() {
        return stack.name().equals("shop") ? "checkout" : stack.name();
    }

    DemoStack running(String otherImage) {
        return new DemoStack(stack, serial + 1, otherImage, databaseClass, nodes, cache);
    }

    byte[] bytes() {
        StringBuilder resources = new StringBuilder();
        resource(
                resources,
                "aws_vpc",
                "main",
                List.of("\"id\": \"vpc-0" + id(7) + "\"", "\"cidr_block\": \"" + network() + ".0.0/16\"", tags()));
        for (int node = 0; node < nodes; node++) {
            resource(
                    resources,
                    "aws_subnet",
                    "zone_" + (char) ('a' + node),
                    List.of(
                            "\"id\": \"subnet-0" + id(11 + node) + "\"",
                            "\"cidr_block\": \"" + network() + "." + node + ".0/24\"",
                            "\"availability_zone\": \"eu-central-1" + (char) ('a' + node) + "\""));
        }
        if (!image.isEmpty()) {
            resource(
                    resources,
                    "aws_ecs_service",
                    service(),
                    List.of(
                            "\"name\": \"" + service() + "\"",
                            "\"desired_count\": " + nodes,
                            "\"image\": \"registry.example.com/" + service() + ":" + image + "\"",
                            "\"environment\": [{\"name\": \"DB_PASSWORD\", \"value\": \"" + password() + "\"}]"));
            resource(
                    resources,
                    "aws_db_instance",
                    "orders",
                    List.of(
                            "\"identifier\": \"orders-" + stack.environment() + "\"",
                            "\"engine\": \"postgres\"",
                            "\"engine_version\": \"16.4\"",
                            "\"instance_class\": \"" + databaseClass + "\"",
                            "\"allocated_storage\": " + (100 + serial / 4 * 50),
                            "\"password\": \"" + password() + "\""));
        }
        if (cache) {
            resource(
                    resources,
                    "aws_elasticache_cluster",
                    "sessions",
                    List.of(
                            "\"cluster_id\": \"sessions-" + stack.environment() + "\"",
                            "\"engine\": \"redis\"",
                            "\"node_type\": \"cache.t4g.small\""));
        }
        String text = """
                {
                  "version": 4,
                  "terraform_version": "1.9.5",
                  "serial": %d,
                  "lineage": "%s",
                  "outputs": {
                    "endpoint": {"value": "https://%s.%s.example.com", "type": "string"},
                    "database_url": {"value": "postgres://app:%s@orders/app", "type": "string", "sensitive": true}
                  },
                  "resources": [
                %s
                  ],
                  "check_results": null
                }
                """.formatted(serial, lineage(), stack.name(), stack.environment(), password(), resources);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String tags() {
        return "\"tags\": {\"Name\": \"" + stack.name() + "-" + stack.environment() + "\"}";
    }

    /** Looks like an id of a cloud, and stays the same. */
    private String id(int of) {
        return String.format("%08x", (stack.toString().hashCode() * 31 + of) & 0x7fffffff) + "c3d9e";
    }

    private static void resource(StringBuilder all, String type, String name, List<String> attributes) {
        if (all.length() > 0) {
            all.append(",\n");
        }
        all.append("    {\n      \"mode\": \"managed\",\n      \"type\": \"")
                .append(type)
                .append("\",\n      \"name\": \"")
                .append(name)
                .append("\",\n      \"provider\": \"provider[\\\"registry.terraform.io/hashicorp/aws\\\"]\",\n")
                .append("      \"instances\": [{\"schema_version\": 1, \"attributes\": {")
                .append(String.join(", ", attributes))
                .append("}, \"sensitive_attributes\": ")
                .append(attributes.stream().anyMatch(it -> it.startsWith("\"password\"")) ? PASSWORD : "[]")
                .append("}]\n    }");
    }
}

package dev.holdfast.server.demo;

import dev.holdfast.state.versions.Stack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
        List<String> resources = new ArrayList<>();
        resources.add(resource("aws_vpc", "main", """
                "id": "vpc-0%s", "cidr_block": "%s.0.0/16", "tags": {"Name": "%s-%s"}""".formatted(id(7), network(), stack.name(), stack.environment())));
        for (int node = 0; node < nodes; node++) {
            char zone = (char) ('a' + node);
            resources.add(resource("aws_subnet", "zone_" + zone, """
                    "id": "subnet-0%s", "cidr_block": "%s.%d.0/24", "availability_zone": "eu-central-1%s\"""".formatted(id(11 + node), network(), node, zone)));
        }
        if (!image.isEmpty()) {
            resources.add(resource("aws_ecs_service", service(), """
                    "name": "%1$s", "desired_count": %2$d, "image": "registry.example.com/%1$s:%3$s", \
                    "environment": [{"name": "DB_PASSWORD", "value": "%4$s"}]""".formatted(service(), nodes, image, password())));
            resources.add(resource("aws_db_instance", "orders", """
                    "identifier": "orders-%s", "engine": "postgres", "engine_version": "16.4", \
                    "instance_class": "%s", "allocated_storage": %d, "password": "%s\"""".formatted(
                            stack.environment(), databaseClass, 100 + serial / 4 * 50, password())));
        }
        if (cache) {
            resources.add(resource("aws_elasticache_cluster", "sessions", """
                    "cluster_id": "sessions-%s", "engine": "redis", "node_type": "cache.t4g.small\"""".formatted(stack.environment())));
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
                """.formatted(
                serial, lineage(), stack.name(), stack.environment(), password(), String.join(",\n", resources));
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Looks like an id of a cloud, and stays the same. */
    private String id(int of) {
        return String.format("%08x", (stack.toString().hashCode() * 31 + of) & 0x7fffffff) + "c3d9e";
    }

    private static String resource(String type, String name, String attributes) {
        return """
                    {
                      "mode": "managed",
                      "type": "%s",
                      "name": "%s",
                      "provider": "provider[\\"registry.terraform.io/hashicorp/aws\\"]",
                      "instances": [{"schema_version": 1, "attributes": {%s}, "sensitive_attributes": %s}]
                    }
                """.formatted(type, name, attributes, attributes.contains("\"password\":") ? PASSWORD : "[]")
                .stripTrailing();
    }
}

package dev.holdfast.cli;

/** States as terraform writes them, small. */
public final class Tfstate {
    private Tfstate() {}

    /** With one resource of this input, and a password. */
    public static String of(long serial, String input, String password) {
        return of("11111111-2222-3333-4444-555555555555", serial, input, password);
    }

    public static String of(String lineage, long serial, String input, String password) {
        return """
                {
                  "version": 4,
                  "terraform_version": "1.9.8",
                  "serial": %d,
                  "lineage": "%s",
                  "outputs": {},
                  "resources": [
                    {
                      "mode": "managed",
                      "type": "terraform_data",
                      "name": "web",
                      "provider": "provider[\\"terraform.io/builtin/terraform\\"]",
                      "instances": [
                        {
                          "schema_version": 0,
                          "attributes": {"id": "a1", "input": "%s", "password": "%s", "nöte": "ünïcode"},
                          "sensitive_attributes": []
                        }
                      ]
                    }
                  ],
                  "check_results": null
                }
                """.formatted(serial, lineage, input, password);
    }
}

//===- streamtensor-translate.cpp - Emission driver -----------------------===//

int main() { return 0; }
